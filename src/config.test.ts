import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { ConfigError, inFolder, readConfig, refuseSamePort, type Environment } from './config.ts'

test('an empty environment gives the documented defaults', () => {
  const { config, secrets } = readConfig({})
  assert.equal(config.host, '127.0.0.1')
  assert.equal(config.port, 8080)
  assert.equal(config.publicUrl, 'http://127.0.0.1:8080')
  assert.equal(config.admin, null)
  assert.equal(config.dataFolder, resolve('./data'))
  assert.equal(config.sourceUrl, 'https://t.me')
  assert.deepEqual(config.crawl, { ratePerS: 1, concurrency: 4 })
  const { retention, media, pictures } = config
  assert.deepEqual(retention, {
    deleted: 'redact',
    versions: 'keep',
    days: null,
    pictures: false,
  })
  assert.equal(media, 'link')
  assert.deepEqual(pictures.limits, { pictureBytes: 2e6, dayBytes: 500e6, bytes: 10e9 })
  assert.equal(config.anonymous, true)
  assert.equal(config.trustProxy, 0)
  assert.equal(secrets.secret, null)
})

test('an empty value means unset', () => {
  assert.equal(readConfig({ TELEGREP_PORT: '', TELEGREP_CONTACT: '' }).config.port, 8080)
})

test('all problems are reported at once, each by name with the accepted values', () => {
  assert.throws(
    () =>
      readConfig({
        TELEGREP_PORT: 'eighty',
        TELEGREP_MEDIA: 'hide',
        TELEGREP_SOURCE_URL: 'https://t.me/s',
        TELEGREP_SECRET: 'short-secret',
        TELEGREP_KEY: 'tgr_x two words',
      }),
    (error) => {
      assert.ok(error instanceof ConfigError)
      assert.equal(error.problems.length, 5)
      assert.match(error.message, /TELEGREP_PORT accepts a port.*found "eighty"/)
      assert.match(error.message, /TELEGREP_MEDIA accepts link, show, keep; found "hide"/)
      assert.match(error.message, /TELEGREP_SOURCE_URL accepts an http or https origin/)
      assert.ok(!/short-secret|two words/.test(error.message), 'a secret is never shown')
      return true
    },
  )
})

test('numbers must be written in plain digits', () => {
  for (const port of [' ', '0x50', '8e3', '-1', '65536']) {
    assert.throws(() => readConfig({ TELEGREP_PORT: port }), /TELEGREP_PORT accepts a port/, port)
  }
  assert.equal(readConfig({ TELEGREP_CRAWL_RATE: '0.5' }).config.crawl.ratePerS, 0.5)
})

test('an unknown variable is an error that suggests the nearest name', () => {
  assert.throws(
    () => readConfig({ TELEGREP_PROT: '1' }),
    /TELEGREP_PROT .* did you mean TELEGREP_PORT\?/,
  )
})

test('store and index are in the data folder, and inFolder moves both to another one', () => {
  const { config } = readConfig({ TELEGREP_DATA: '/somewhere' })
  assert.deepEqual(config.store, { kind: 'sqlite', folder: '/somewhere' })
  assert.deepEqual(config.index, { kind: 'embedded', folder: '/somewhere/index' })
  const other = inFolder(config, '/elsewhere')
  assert.deepEqual(
    [other.dataFolder, other.store, other.index],
    [
      '/elsewhere',
      { kind: 'sqlite', folder: '/elsewhere' },
      { kind: 'embedded', folder: '/elsewhere/index' },
    ],
  )
})

test('store and index can each be on a server', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-config-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const passwordFile = file('password', 'from the file\n')
  const { config } = readConfig({
    TELEGREP_DATABASE_URL: 'postgresql://me:hush@db:5433/posts?sslmode=require&schema=mine',
    TELEGREP_DATABASE_PASSWORD_FILE: passwordFile,
    TELEGREP_SEARCH_URL: 'https://one:9200,two:9201',
    TELEGREP_SEARCH_USER: 'me',
    TELEGREP_SEARCH_PASSWORD_FILE: passwordFile,
    TELEGREP_SEARCH_CA_FILE: file('ca', 'a certificate'),
    TELEGREP_SEARCH_REPLICAS: '2',
  })
  assert.deepEqual(config.store, {
    kind: 'postgres',
    url: 'postgresql://me:hush@db:5433/posts?sslmode=require&schema=mine',
    schema: 'mine',
    passwordFile,
  })
  assert.deepEqual(config.index, {
    kind: 'opensearch',
    nodes: ['https://one:9200', 'https://two:9201'],
    prefix: 'telegrep',
    auth: { user: 'me', password: 'from the file' },
    ca: 'a certificate',
    layout: { shards: 1, replicas: 2 },
  })
  assert.equal(inFolder(config, folder).store.kind, 'sqlite')
})

test('an invalid address of an engine is reported without its password', () => {
  const wrong: readonly (readonly [string, string])[] = [
    ['TELEGREP_DATABASE_URL', 'mysql://me:hush@db/posts'],
    ['TELEGREP_DATABASE_URL', 'postgres//me:hush@db/posts'],
    ['TELEGREP_DATABASE_URL', 'postgres://db/posts?password=hush'],
    ['TELEGREP_DATABASE_URL', 'postgres://db/posts?sslmode=hush'],
    ['TELEGREP_SEARCH_URL', 'https://me:hush@one:9200'],
    ['TELEGREP_SEARCH_URL', 'https://one:9200/path?hush'],
    ['TELEGREP_SEARCH_URL', 'one:9200'],
    ['TELEGREP_SEARCH_PREFIX', 'Upper'],
    ['TELEGREP_SEARCH_SHARDS', '0'],
    ['TELEGREP_SEARCH_PASSWORD_FILE', '/nowhere'],
    ['TELEGREP_SMTP_CA_FILE', '/'],
  ]
  for (const [name, value] of wrong) {
    assert.throws(
      () => readConfig({ [name]: value }),
      (error: Error) =>
        error.message.includes(`${name} accepts`) && !error.message.includes('hush'),
      value,
    )
  }
  assert.throws(
    () => readConfig({ TELEGREP_SEARCH_USER: 'me', TELEGREP_SEARCH_URL: 'http://one:9200' }),
    /TELEGREP_SEARCH_USER has no meaning without TELEGREP_SEARCH_PASSWORD_FILE/,
  )
})

test('the public address of a wildcard listener can be opened in a browser', () => {
  assert.equal(readConfig({ TELEGREP_HOST: '0.0.0.0' }).config.publicUrl, 'http://localhost:8080')
  assert.equal(readConfig({ TELEGREP_HOST: '::1' }).config.publicUrl, 'http://[::1]:8080')
})

test('a service is personal where only this machine can reach its address', () => {
  const isPersonal = (env: Environment) => readConfig(env).config.isPersonal
  const TELEGREP_HOST = '0.0.0.0'
  assert.equal(isPersonal({}), true)
  assert.equal(isPersonal({ TELEGREP_HOST: '::1' }), true)
  assert.equal(isPersonal({ TELEGREP_HOST }), false)
  assert.equal(isPersonal({ TELEGREP_HOST, TELEGREP_PUBLIC_URL: 'http://localhost:8080' }), true)
  assert.equal(isPersonal({ TELEGREP_PUBLIC_URL: 'https://telegrep.example.org' }), false)
})

test('two listeners on overlapping addresses need different ports', () => {
  const check =
    (host: string, port: string, adminPort = port) =>
    () =>
      refuseSamePort(
        readConfig({
          TELEGREP_HOST: host,
          TELEGREP_PORT: port,
          TELEGREP_ADMIN_PORT: adminPort,
        }).config,
      )
  const both = /TELEGREP_ADMIN_PORT is 8081, as TELEGREP_PORT is/
  for (const host of ['127.0.0.1', '0.0.0.0', '::']) assert.throws(check(host, '8081'), both, host)
  assert.doesNotThrow(check('192.0.2.1', '8081'))
  assert.doesNotThrow(check('127.0.0.1', '0'), 'any free one')
  assert.doesNotThrow(check('127.0.0.1', '8081', '9090'))
  assert.doesNotThrow(check('127.0.0.1', '8081', 'off'))
})

test('the public address must be an origin without a path', () => {
  const read = (address: string) => readConfig({ TELEGREP_PUBLIC_URL: address }).config.publicUrl
  assert.equal(read('https://Posts.example:443/'), 'https://posts.example')
  for (const address of ['https://h.example/base', 'https://h.example?a', 'https://u@h.example'])
    assert.throws(() => read(address), /TELEGREP_PUBLIC_URL accepts an http or https origin/)
})

test('sizes are written in bytes or with a unit', () => {
  const limitsOf = (size: string) =>
    readConfig({ TELEGREP_MEDIA_BYTES: size }).config.pictures.limits.bytes
  assert.deepEqual(['70000', '30kB', '2MB', '5GB', '1TB'].map(limitsOf), [7e4, 3e4, 2e6, 5e9, 1e12])
  for (const size of ['0', '-1', '1.5GB', '1 GB', '10gb', '9999TB', 'GB', '1e9']) {
    assert.throws(() => limitsOf(size), /TELEGREP_MEDIA_BYTES accepts a number of bytes/, size)
  }
})

test('mails are sent by the user of the mail server or, if that is no mail address, by the public host', () => {
  const fromOf = (url: string) =>
    readConfig({ TELEGREP_SMTP_URL: url, TELEGREP_PUBLIC_URL: 'https://posts.example' }).config
      .senders.mail?.from
  assert.equal(fromOf('smtps://news%40example.org@mail.example'), 'news@example.org')
  assert.equal(fromOf('smtps://AKIA42@mail.example'), 'telegrep@posts.example')
  assert.equal(fromOf('smtp://a%0d%0ab%40c@mail.example'), 'telegrep@posts.example')
  assert.equal(fromOf('smtp://mail.example'), 'telegrep@posts.example')
})

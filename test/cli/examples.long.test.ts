import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { addChannels } from '../../src/crawl/add-channels.ts'
import { COMMANDS } from '../../src/cli/commands.ts'
import { sampleWatch } from '../../src/store/contract/watches.ts'
import { startService, type Service } from '../start-service.ts'
import { openShell, type Shell } from './shell.ts'
import { makeBin } from './telegrep.ts'

const DAY = 86_400_000

/** Commands that run until they are stopped, and what they print when they are ready. */
const READY: Readonly<Record<string, RegExp>> = {
  serve: /answers on/,
  crawl: /crawls and indexes/,
  index: /Telegrep indexes/,
  demo: /status .* --crawl-rate \d+\n[^]*Ctrl-C ends both/,
  follow: /waiting for posts/,
}
/** Examples whose exit code is, rightly, not 0. */
const OTHER_CODES: Readonly<Record<string, number>> = {
  // A server has the store open.
  'telegrep restore backups/monday': 1,
  // There is no host called db, and no store to migrate from; `test/cluster/migrate-store.test.ts` migrates a real one.
  'telegrep migrate-store --from ./data --to postgres://telegrep@db/telegrep': 4,
  'telegrep migrate-store --from postgres://telegrep@db/telegrep --to ./data': 1,
  // There is no such host, and the second example has no such file; `test/cli/evidence.long.test.ts` checks a real package.
  'telegrep verify durov-342-evidence.zip --key https://telegrep.example': 1,
  'telegrep verify durov-342-evidence.zip --key keys.json': 2,
  // This key exists only in the help.
  'telegrep keys rotate tgr_a1B2c3D4': 4,
  'telegrep keys revoke tgr_a1B2c3D4': 4,
}

/** Stops a line once all its commands are ready: one that is still starting would end with the code of the signal. */
function whenReady(line: string): { readonly stopAt: RegExp; readonly input: string } | undefined {
  const running = Object.keys(READY).filter((name) => line.includes(`telegrep ${name}`))
  if (running.length === 0) return undefined
  const all = running.map((name) => `(?=[^]*${READY[name]!.source})`)
  return { stopAt: new RegExp(`^${all.join('')}`), input: '' }
}

describe('every example in the help ends with the expected exit code', { concurrency: 2 }, () => {
  let service: Service
  let folder: string
  let env: Record<string, string>
  let shell: Shell

  before(async () => {
    service = await startService({ world: { channels: 1 } })
    const { world } = service.simulator
    const now = service.simulator.now()
    for (const username of ['durov', 'telegram', 'toncoin', 'somechannel']) {
      const channel = world.script.addChannel({
        username,
        title: `News of ${username}`,
        firstNumber: 330,
        createdAt: now - 20 * DAY,
      })
      for (let i = 0; i < 20; i += 1) {
        world.script.publish(channel, now - (20 - i) * 0.5 * DAY, {
          text: `The election and the central bank, part ${i}`,
        } as never)
      }
    }
    await addChannels(service.app.store, ['durov', 'somechannel'], service.app.clock)
    await service.settled()
    folder = mkdtempSync(join(tmpdir(), 'telegrep-examples-'))
    const post = {
      channel: 'imported_one',
      id: 1,
      date: new Date(now - DAY).toISOString(),
      text: 'climate change',
    }
    mkdirSync(join(folder, 'channels'))
    mkdirSync(join(folder, '.local/share/bash-completion/completions'), { recursive: true })
    mkdirSync(join(folder, '.zfunc'))
    mkdirSync(join(folder, '.config/fish/completions'), { recursive: true })
    writeFileSync(join(folder, 'channels/start.txt'), '# a list\ntelegram\ntoncoin # twice\n')
    writeFileSync(join(folder, 'list.csv'), 'title,username\nT,telegram\n')
    const watch = { options: sampleWatch('').options, sinks: { feed: { token: 'x' } } }
    for (const name of ['storms', 'gales'])
      await service.app.store.watches.put(sampleWatch(name, watch))
    writeFileSync(
      join(folder, 'watches.json'),
      JSON.stringify([{ name: 'loaded', q: 'election', feed: true, digest: '30m' }]),
    )
    writeFileSync(join(folder, 'list.tsv'), 'telegram\t1\ntoncoin\t2\n')
    writeFileSync(join(folder, 'posts.ndjson'), `${JSON.stringify(post)}\n`)
    writeFileSync(
      join(folder, 'posts.ndjson.gz'),
      gzipSync(`${JSON.stringify({ ...post, id: 2 })}\n`),
    )
    writeFileSync(
      join(folder, 'result.json'),
      JSON.stringify({
        name: 'Durov',
        type: 'public_channel',
        messages: [
          {
            id: 5,
            type: 'message',
            date: '2026-01-01T00:00:00',
            date_unixtime: '1767225600',
            text: 'Hello',
            text_entities: [],
          },
        ],
      }),
    )
    env = {
      PATH: `${makeBin(folder)}:${process.env['PATH']}`,
      HOME: folder,
      TELEGREP_DATA: service.folder,
      TELEGREP_PORT: '0',
      TELEGREP_SOURCE_URL: service.simulator.url,
      TELEGREP_CRAWL_RATE: '500',
      TELEGREP_LOG: 'error',
    }
    shell = openShell({ cwd: folder, env })
  })
  after(async () => {
    await shell[Symbol.asyncDispose]()
    await service[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  for (const command of COMMANDS) {
    // In order: an example may build on the one before.
    test(`telegrep ${command.name}`, async () => {
      for (const line of Object.keys(command.examples)) {
        const typed = line.replaceAll('~', folder)
        const ran = await shell.run(typed, whenReady(line))
        const expected = OTHER_CODES[line] ?? 0
        assert.equal(
          ran.code,
          expected,
          `${line}\nexit ${ran.code}\n${ran.stdout.slice(-500)}\n${ran.stderr.slice(-1500)}`,
        )
      }
    })
  }
})

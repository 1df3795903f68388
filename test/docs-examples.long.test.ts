import assert from 'node:assert/strict'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { addChannels } from '../src/crawl/add-channels.ts'
import { openShell, type Shell } from './cli/shell.ts'
import { makeBin } from './cli/telegrep.ts'
import { startService, type Service } from './start-service.ts'

const root = join(import.meta.dirname, '..')

/** The lines of shell blocks in the documents that call the command line or the API. */
const examples = globSync(['README.md', 'docs/*.md'], { cwd: root }).flatMap((file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/```sh\n(.*?)```/gs)]
    .flatMap((block) => (block[1] as string).split('\n'))
    .filter((line) => /^(?:telegrep|curl) /.test(line))
    .map((line) => ({ file, line })),
)

describe('every command in the documents works', () => {
  let service: Service
  let folder: string
  let shell: Shell

  before(async () => {
    service = await startService({ world: { channels: 1 } })
    const { world } = service.simulator
    const now = service.simulator.now()
    for (const username of ['durov', 'telegram']) {
      const channel = world.script.addChannel({ username, createdAt: now - 86_400_000 })
      world.script.publish(channel, now - 3_600_000, { text: 'privacy and encryption' } as never)
    }
    await addChannels(service.app.store, ['durov'], service.app.clock)
    await service.settled()
    folder = mkdtempSync(join(tmpdir(), 'telegrep-docs-'))
    const env = {
      PATH: `${makeBin(folder)}:${process.env['PATH']}`,
      TELEGREP_DATA: service.folder,
      TELEGREP_SOURCE_URL: service.simulator.url,
    }
    shell = openShell({ cwd: root, env })
  })
  after(async () => {
    await shell[Symbol.asyncDispose]()
    await service[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  test('there are at least five', () => assert.ok(examples.length >= 5))

  for (const { file, line } of examples) {
    test(`${file}: ${line}`, async () => {
      const here = line
        .replace('http://127.0.0.1:8080', service.url)
        .replace(/^curl /, 'curl --silent --show-error --fail ')
        .replace(' -N ', ' -N --max-time 3 ')
      const ran = await shell.run(here)
      // `curl -N` is ended by its time limit, since a stream has no end.
      assert.equal(ran.code, line.includes(' -N ') ? 28 : 0, `${here}\n${ran.stderr}`)
      assert.ok(ran.stdout.length > 0, 'it says something')
    })
  }
})

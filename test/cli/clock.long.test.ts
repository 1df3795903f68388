import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { makePost } from '../../src/store/contract/make-post.ts'
import { openStore } from '../../src/store/open-store.ts'
import { openShell } from './shell.ts'
import { makeHome, runLine } from './telegrep.ts'

const DAY = 86_400_000

const shell = openShell({ cwd: tmpdir(), env: { TELEGREP_LOG: 'error' } })
after(() => shell[Symbol.asyncDispose]())

/** Runs both commands on an archive of one channel and one post. */
async function examine(postAgeDays: number) {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-clock-'))
  try {
    const now = Date.now()
    {
      const retention = { deleted: 'redact', versions: 'keep', days: null } as const
      await using store = await openStore({ kind: 'sqlite', folder, retention })
      const added = await store.archive.addChannel('some_channel', { at: now, status: 'queued' })
      assert.ok(added.outcome === 'added')
      const post = makePost({ number: 1, publishedAt: now - postAgeDays * DAY, text: 'word' })
      const read = { channelId: added.channel.id, at: now, parserVersion: 1, profile: null }
      const rest = { capture: 'crawl', posts: [post], deleted: [] } as const
      await store.archive.record({ ...read, ...rest })
    }
    const status = await shell.run(`telegrep status --data ${folder}`)
    const json = await shell.run(`telegrep status --json --data ${folder}`)
    const doctor = await shell.run(`telegrep doctor --offline --json --data ${folder}`)
    const { findings } = JSON.parse(doctor.stdout) as {
      findings: { check: string; ok: boolean; detail: string }[]
    }
    return {
      line: /^clock .*(?:\n .*)*/m.exec(status.stdout)?.[0].replaceAll(/\s+/g, ' ') ?? null,
      told: JSON.parse(json.stdout) as Record<string, unknown>,
      found: findings.find(({ check }) => check === 'clock')!,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describe('status and doctor with a clock that is wrong', () => {
  test('report nothing when the clock is right', async () => {
    const { line, told, found } = await examine(1)
    assert.equal(line, null)
    assert.equal(told['clock_doubt'], null)
    assert.equal(found.ok, true, found.detail)
  })

  test('doubt the clock when the newest post is weeks old or from the future', async () => {
    for (const [postAgeDays, doubt] of [
      [40, 'the newest post is of 40 days ago'],
      [-3, 'the newest post is of 3 days later'],
    ] as const) {
      const { line, told, found } = await examine(postAgeDays)
      assert.ok(line?.includes(`is it wrong? ${doubt}`), line ?? 'no line')
      assert.equal(told['clock_doubt'], doubt)
      assert.equal(found.ok, false)
      assert.ok(found.detail.includes(doubt), found.detail)
    }
  })
})

test("doctor reports a clock that differs from the platform's by minutes", async () => {
  for (const [offMs, expected] of [
    [12 * 60_000, /; 12 min ahead of the platform’s$/],
    [-40 * 60_000, /; 40 min behind the platform’s$/],
    [2_000, /no posts yet$/],
  ] as const) {
    const home = makeHome('telegrep-clock-')
    const folder = home.env!['TELEGREP_DATA']!
    const platform = createServer((_, response) => {
      response.setHeader('Date', new Date(Date.now() - offMs).toUTCString())
      response.writeHead(404).end()
    })
    await new Promise<void>((resolve) => platform.listen(0, '127.0.0.1', () => resolve()))
    try {
      const retention = { deleted: 'redact', versions: 'keep', days: null } as const
      await (await openStore({ kind: 'sqlite', folder, retention }))[Symbol.asyncDispose]()
      const { port } = platform.address() as AddressInfo
      const env = { ...home.env, TELEGREP_SOURCE_URL: `http://127.0.0.1:${port}` }
      const { stdout } = await runLine('telegrep doctor --json', { ...home, env })
      const { findings } = JSON.parse(stdout) as {
        findings: { check: string; ok: boolean; detail: string }[]
      }
      const found = findings.find(({ check }) => check === 'clock')!
      assert.match(found.detail, expected)
      assert.equal(found.ok, offMs === 2_000)
    } finally {
      platform.close()
      rmSync(home.cwd, { recursive: true, force: true })
    }
  }
})

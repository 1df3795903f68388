import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { systemClock } from '../model/clock.ts'
import { startSimulator } from '../simulator/server.ts'
import { prepareDemo } from './prepare-demo.ts'

test('prepareDemo queues all channels and reads the story before any of it is edited', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-demo-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const world = { seed: 'demo', channels: 6, startAt: systemClock.now(), days: 40 }
  await using simulator = await startSimulator({ world })
  const { config, secrets } = readConfig({ TELEGREP_DATA: folder, TELEGREP_LOG: 'silent' })
  const crawl = { ...config.crawl, ratePerS: 200 }
  await using app = await createApp({ ...config, crawl, sourceUrl: simulator.url }, secrets)
  const names = await prepareDemo(app, simulator, AbortSignal.timeout(60_000))
  for (const name of ['showcase', 'ferry_desk', 'harbour_wire']) {
    assert.ok(names.includes(name), name)
    assert.equal((await app.store.archive.channel(name))?.status, 'queued', name)
  }
  const story = { ferry_desk: 1, harbour_wire: 2 }
  for (const [name, number] of Object.entries(story)) {
    const { id } = (await app.store.archive.channel(name))!
    const [post] = await app.store.archive.posts([{ channelId: id, number }])
    assert.match(post?.text ?? '', /^The ferry Heron ran aground .*12 people/s, name)
  }
})

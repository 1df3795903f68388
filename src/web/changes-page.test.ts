import assert from 'node:assert/strict'
import { test } from 'node:test'
import { turnsOf } from '../../test/turns-of.ts'
import { listChanges } from '../operations/list-changes.ts'
import { changesPage } from './changes-page.ts'
import type { Change } from './views.ts'

/** A list of 300 prices, all of which changed. */
const prices = (of: number) => Array.from({ length: 300 }, (_, i) => `Item ${i}: ${i * of}`)
const change: Change = {
  id: 'price_list/1',
  slug: '1',
  url: 'https://t.me/price_list/1',
  channel: {
    username: 'price_list',
    title: 'Prices',
    language: 'en',
    verified: false,
    subscribers: null,
  },
  published_at: '2026-05-01T00:00:00Z',
  changed_at: '2026-05-02T00:00:00Z',
  unchanged_at: null,
  after_s: 86_400,
  quick: false,
  kinds: ['number'],
  named: [],
  before: prices(3).join('\n'),
  after: prices(4).join('\n'),
  views: null,
  language: 'en',
}
const changes = Array.from({ length: 20 }, () => change)

test('a feed of long changes is made over many turns of the event loop', async () => {
  const [turns, items] = await turnsOf(listChanges.items(changes))
  assert.equal(items.length, 20)
  assert.ok(turns >= 3, `${turns} turns`)
})

test('a page of long changes is made over many turns of the event loop', async () => {
  const context = { now: Date.UTC(2026, 4, 3), showMedia: false }
  const page = { parameters: {}, changes, next: null, warnings: [], context }
  const [turns] = await turnsOf(changesPage(page))
  assert.ok(turns >= 3, `${turns} turns`)
})

test('a deleted post whose words are not kept leads to what is known of it', async () => {
  const lost: Change = { ...change, kinds: ['deleted'], before: null, after: null }
  const context = { now: Date.UTC(2026, 4, 3), showMedia: false }
  const deleted = { ...lost, deleted_at: change.changed_at }
  const page = { parameters: {}, changes: [deleted], next: null, warnings: [], context }
  const shown = String(await (await changesPage(page))({ isDemo: false }))
  assert.match(shown, /<a href="\/channels\/price_list\/posts\/1" data-open>What is known<\/a>/)
})

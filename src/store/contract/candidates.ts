import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Sighting } from '../frontier.ts'
import { DAY, MINUTE, NOON, addChannel, type OpenStore } from './samples.ts'

/** Names seen in posts that may become channels. */
export function describeCandidates(open: OpenStore): void {
  describe('candidates', () => {
    test('are named by enough channels, sorted by score, and stay decided', async () => {
      const { store } = await open()
      const [a, b] = [await addChannel(store, 'source_a'), await addChannel(store, 'source_b')]
      const see = (
        name: string,
        sourceId: number,
        how: 'forward' | 'mention' | 'link',
        at = NOON,
      ) => ({
        name,
        sourceId,
        how,
        at,
      })
      await store.frontier.addSightings([
        see('Popular', a.id, 'forward'),
        see('popular', b.id, 'mention'),
        see('linked', a.id, 'link'),
        see('linked', b.id, 'link'),
        see('linked', b.id, 'link', NOON + MINUTE),
        see('lonely', a.id, 'forward'),
        see('faded', a.id, 'forward', NOON - 60 * DAY),
        see('source_a', b.id, 'forward'),
        see('source_a', a.id, 'forward'),
      ])
      const best = (minSources: number, now = NOON) =>
        store.frontier.candidates({ limit: 10, minSources, now })
      assert.deepEqual(await best(2), ['Popular', 'linked'])
      assert.deepEqual(await best(1), ['Popular', 'lonely', 'linked', 'faded'])
      await store.frontier.decideCandidate('popular', NOON + DAY)
      assert.deepEqual(await best(2), ['linked'])
      assert.equal(await store.frontier.countCandidates(NOON), 3, 'neither decided nor known')
      assert.equal((await best(2, NOON + DAY)).length, 2)
      await store.removals.removeChannel('linked', 'asked', NOON)
      await store.frontier.addSightings([see('linked', a.id, 'forward', NOON + 9 * DAY)])
      assert.deepEqual(await best(1, NOON + 10 * DAY), ['Popular', 'lonely', 'faded'])
    })

    test('are forgotten when not seen for long, once their decision has expired', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'naming')
      const see = (name: string, how: Sighting['how'], at = NOON) =>
        store.frontier.addSightings([{ name, sourceId: id, how, at }])
      await see('linked', 'link')
      await see('linked_too', 'link')
      await see('forwarded', 'forward')
      await see('decided', 'link')
      await store.frontier.decideCandidate('decided', NOON + 200 * DAY)
      const seen = async (now: number) => {
        const found = await store.frontier.candidates({ limit: 10, minSources: 1, now })
        return found.toSorted()
      }
      assert.equal(await store.frontier.forgetCandidates(10, NOON + 89 * DAY), 0)
      await see('linked_too', 'link', NOON + 89 * DAY)
      assert.equal(await store.frontier.forgetCandidates(10, NOON + 91 * DAY), 1)
      assert.deepEqual(await seen(NOON + 91 * DAY), ['forwarded', 'linked_too'])
      await see('linked', 'link', NOON + DAY)
      assert.ok((await seen(NOON + 91 * DAY)).includes('linked'), 'as if for the first time')
      assert.equal(await store.frontier.forgetCandidates(1, NOON + 190 * DAY), 1, 'some at a time')
      assert.equal(await store.frontier.forgetCandidates(10, NOON + 190 * DAY), 2)
      assert.equal(await store.frontier.forgetCandidates(10, NOON + 199 * DAY), 0, 'decided')
      assert.equal(await store.frontier.forgetCandidates(10, NOON + 200 * DAY), 1)
    })
  })
}

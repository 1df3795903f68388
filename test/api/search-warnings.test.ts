import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { makePost, startService, type Service } from './harness.ts'
import { DAY, fillWorld } from './world.ts'

/** What `/search` says about an answer besides its posts: why it is empty, or less than it seems. */
describe('warnings of a search', () => {
  let service: Service
  before(async () => {
    service = await startService()
    await fillWorld(service)
  })
  after(() => service[Symbol.asyncDispose]())

  const search = async (query: string) => (await service.get(`/v1/search?${query}`)).json

  test('channels that are not indexed are listed with their live links', async () => {
    const { data, meta, warnings } = await search('channel=unknown_channel')
    assert.deepEqual(data, [])
    assert.deepEqual(meta.coverage.not_indexed, [
      {
        channel: 'unknown_channel',
        live: 'https://telegrep.example/v1/channels/unknown_channel/live',
      },
    ])
    assert.equal(warnings[0].code, 'channel_not_indexed')
    const explained = await search('channel=unknown_channel&explain=true')
    assert.deepEqual(explained.warnings, warnings)
  })

  test('a channel that awaits its first visit is reported as such', async () => {
    const at = service.clock.now()
    await service.store.archive.addChannel('queued_channel', { at, status: 'queued' })
    for (const [query, parameter] of [
      ['channel=queued_channel', 'channel'],
      ['q=from:queued_channel', 'q'],
    ] as const) {
      const { data, meta, warnings } = await search(query)
      assert.deepEqual([data, meta.coverage.not_indexed], [[], []])
      assert.deepEqual(
        [warnings[0].code, warnings[0].parameter],
        ['channel_not_read_yet', parameter],
      )
    }
    const [unknown] = (await search('q=from:unknown_channel')).warnings
    assert.deepEqual([unknown.code, unknown.parameter], ['channel_not_indexed', 'q'])
    assert.deepEqual((await search('q=game -from:queued_channel')).warnings, [])
  })

  test('a removed channel is reported as such, and no live read is offered', async () => {
    await service.store.removals.removeChannel('removed_one', 'asked', service.clock.now())
    for (const [query, parameter] of [
      ['channel=Removed_One', 'channel'],
      ['q=from:removed_one', 'q'],
    ] as const) {
      const { data, meta, warnings } = await search(query)
      assert.deepEqual([data, meta.coverage.not_indexed, warnings.length], [[], [], 1])
      assert.deepEqual([warnings[0].code, warnings[0].parameter], ['channel_removed', parameter])
    }
  })

  test('an empty answer in an order that requires all the words says which one does not', async () => {
    const now = service.clock.now()
    await service.publish({ username: 'half_told' }, [
      makePost({ number: 1, publishedAt: now - DAY, text: 'The gondola was repainted' }),
    ])
    const told = async (query: string) =>
      (await search(query)).warnings.filter(
        ({ code }: { code: string }) => code === 'all_words_required',
      )
    const [warning] = await told('q=gondola+harbour+repainted&sort=views')
    assert.match(warning.detail, /the order views requires them all; sort=relevance also finds/)
    assert.deepEqual([warning.parameter, warning.suggestion], ['sort', 'relevance'])
    assert.equal((await told('q=gondola+harbour&channel=half_told&sort=newest')).length, 1)
    const best = await search('q=gondola+harbour+repainted&sort=relevance')
    assert.equal(best.data[0].id, 'half_told/1')
    for (const query of [
      'q=gondola+repainted&sort=views',
      'q=gondola+harbour+repainted',
      'q=gondola+repainted&channel=nobody_at_all&sort=views',
      'q=gondola+repainted+from:nobody_at_all&sort=views',
      'q=gondola+repainted&has=video&sort=views',
      'q=gondola+repainted&lang=fi&sort=newest',
      'q=gondola+repainted&since=2020-01-01&until=2020-02-01&sort=oldest',
      'q=xqwzzk+vvkzzq&sort=views',
      'q=gondola+harbour+repainted&sort=views&strict=true',
      'q=gondola+harbour+repainted&sort=views&match=exact',
    ])
      assert.deepEqual(await told(query), [], query)
  })

  test('a page by relevance with posts of one channel only warns, and suggests excluding that channel', async () => {
    const now = service.clock.now()
    const of = (username: string, count: number, text: string) =>
      service.publish(
        { username, platformId: 700 + count },
        Array.from({ length: count }, (_, i) =>
          makePost({ number: i + 1, publishedAt: now - DAY - i, text: `${text} ${i}` }),
        ),
      )
    await of('loud_one', 8, 'A zeppelin lands at the harbour, and crowds go to see it; report')
    await of('quiet_one', 2, 'zeppelin zeppelin')
    const told = async (query: string) =>
      (await search(`q=zeppelin${query}`)).warnings.filter(
        ({ code }: { code: string }) => code === 'one_channel',
      )
    const [warning] = await told('&limit=6')
    assert.equal(warning.parameter, 'exclude_channel')
    assert.match(warning.detail, /^all 6 posts of this page are of loud_one; `exclude_channel`/)
    const others = await search(`q=zeppelin&exclude_channel=${warning.suggestion}`)
    assert.deepEqual(others.data.map(({ id }: { id: string }) => id).toSorted(), [
      'quiet_one/1',
      'quiet_one/2',
    ])
    for (const query of ['', '&limit=3', '&limit=6&sort=newest', '&limit=6&channel=loud_one'])
      assert.deepEqual(await told(query), [], query)
    assert.deepEqual(await told(encodeURIComponent(' from:loud_one') + '&limit=6'), [])
  })
})

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { freeCall } from '../../src/operations/operation.ts'
import { suggest } from '../../src/operations/suggest.ts'
import { turnsOf } from '../turns-of.ts'
import { makePost, startService, type Service } from './harness.ts'

interface Suggestion {
  readonly kind: string
  readonly value: string
  readonly title?: string
  readonly posts?: number
}

describe('suggestions', () => {
  let service: Service
  before(async () => {
    service = await startService()
    const now = service.clock.now()
    let number = 0
    const post = (text: string, tags: readonly string[] = []) => {
      const entities = tags.map((tag) => ({
        type: 'hashtag' as const,
        offset: text.indexOf(tag),
        length: tag.length,
      }))
      return makePost({ number: ++number, publishedAt: now - number * 60_000, text, entities })
    }
    await service.publish({ username: 'storm_watch', title: 'Штормовое предупреждение' }, [
      post('Storm over the harbour, storms to come #StormWatch', ['#StormWatch']),
      post('The storm passed'),
      post('Stores are open'),
      post('Сильный шторм у берега'),
      post('Штормит третий день'),
      post('首都机场关闭三天'),
      post('Café con leche'),
    ])
    await service.publish({ username: 'quiet_place', title: 'Store of books' }, [
      makePost({ number: 1, publishedAt: now - 60_000, text: 'storming the gates' }),
    ])
  })
  after(() => service[Symbol.asyncDispose]())

  async function suggested(q: string, more = ''): Promise<Suggestion[]> {
    const { status, json } = await service.get(`/v1/suggest?q=${encodeURIComponent(q)}${more}`)
    assert.equal(status, 200)
    return json.data
  }

  test('are read from long posts over many turns of the event loop', async () => {
    await using long = await startService()
    const now = long.clock.now()
    const text = 'Words of a very long post. '.repeat(150)
    const posts = Array.from({ length: 60 }, (_, i) =>
      makePost({ number: i + 1, publishedAt: now - 60_000, text: `Zebra ${i}. ${text}` }),
    )
    await long.publish({ username: 'long_posts' }, posts)
    const { signal } = new AbortController()
    const caller = long.ctx.access.anonymous('203.0.113.1')
    const call = freeCall({ caller, requestId: 'test', signal })
    const turns = async (q: string) => {
      const [counted, { data }] = await turnsOf(suggest.invoke(long.ctx, { q }, call))
      assert.equal(data.length > 0, q === 'zeb', q)
      return counted
    }
    await turns('zeb')
    const none = await turns('qqq')
    assert.ok((await turns('zeb')) >= none + 10, 'no more turns than without posts')
  })

  test('include channels, hashtags and words with the prefix, the most frequent word first', async () => {
    const found = await suggested('stor')
    assert.deepEqual(
      found.filter(({ kind }) => kind === 'channel').map(({ value }) => value),
      ['storm_watch', 'quiet_place'],
    )
    assert.deepEqual(
      found.filter(({ kind }) => kind === 'hashtag'),
      [{ kind: 'hashtag', value: 'stormwatch', posts: 1 }],
    )
    const words = found.filter(({ kind }) => kind === 'word')
    assert.deepEqual(words[0], { kind: 'word', value: 'storm', posts: 2 })
    assert.ok(['stores', 'storming', 'storms'].every((w) => words.some(({ value }) => value === w)))
  })

  test('work in any script, with or without accents', async () => {
    const values = async (q: string) => (await suggested(q)).map(({ value }) => value)
    assert.deepEqual(await values('штор'), ['storm_watch', 'шторм', 'штормит'])
    assert.ok((await values('首都')).some((value) => value.startsWith('首都')))
    assert.deepEqual(await values('caf'), ['café'])
    assert.deepEqual(await values('CAFÉ'), ['café'])
  })

  test('complete the last word to words that occur together with those before it', async () => {
    const values = (await suggested('harbour stor')).map(({ value }) => value)
    assert.deepEqual(values, ['stormwatch', 'storm', 'storms'])
  })

  test('are of one kind after @ or #, and limited per kind', async () => {
    assert.deepEqual(
      (await suggested('@sto')).map(({ kind }) => kind),
      ['channel', 'channel'],
    )
    assert.deepEqual(
      (await suggested('#sto')).map(({ value }) => value),
      ['stormwatch'],
    )
    assert.equal((await suggested('stor', '&limit=1')).length, 3)
  })

  test('complete names and hashtags behind an underscore, too', async () => {
    const values = async (q: string) => (await suggested(q)).map(({ value }) => value)
    assert.deepEqual(await values('storm_wa'), ['storm_watch'])
    assert.deepEqual(await values('@storm_w'), ['storm_watch'])
    const text = '#Spring_tide and springs'
    const entities = [{ type: 'hashtag' as const, offset: 0, length: 12 }]
    const publishedAt = service.clock.now() - 7_000
    await service.publish({ username: 'moon_table' }, [
      makePost({ number: 1, publishedAt, text, entities }),
    ])
    assert.deepEqual(await values('#spring_'), ['spring_tide'])
    assert.deepEqual(await values('#spring_t'), ['spring_tide'])
    assert.deepEqual(await values('#spring_ti'), ['spring_tide'])
    assert.deepEqual(await values('#spring_x'), [])
    for (const q of ['#s_t', '#_t', '#__']) assert.deepEqual(await values(q), [], q)
    assert.deepEqual(await values('#springs_ti'), [])
  })

  test('after # are hashtags, however many newer posts hold the word alone', async () => {
    const now = service.clock.now()
    const tag = { type: 'hashtag' as const, offset: 0, length: 6 }
    const tagged = makePost({
      number: 400,
      publishedAt: now - 9_000,
      text: '#Tidal',
      entities: [tag],
    })
    const plain = Array.from({ length: 70 }, (_, i) =>
      makePost({ number: 401 + i, publishedAt: now - 8_000, text: `The tide turned ${i} times` }),
    )
    const text = '#Tides of today'
    const tides = { ...tagged, number: 399, text, entities: [{ ...tag, length: 6 }] }
    await service.publish({ username: 'tide_table' }, [tides, tagged, ...plain])
    assert.deepEqual(await suggested('#tid'), [
      { kind: 'hashtag', value: 'tidal', posts: 1 },
      { kind: 'hashtag', value: 'tides', posts: 1 },
    ])
    assert.deepEqual(await suggested('today #tid'), [{ kind: 'hashtag', value: 'tides', posts: 1 }])
  })

  test('after # are hashtags, however many others are commoner', async () => {
    const now = service.clock.now()
    const post = (number: number, text: string) => {
      const entities = Array.from(text.matchAll(/#\w+/g), ({ index, 0: { length } }) => {
        return { type: 'hashtag' as const, offset: index, length }
      })
      return makePost({ number, publishedAt: now - 9_000 + number, text, entities })
    }
    const others = Array.from({ length: 20 }, (_, i) => `#other${i}`)
    await service.publish({ username: 'gale_table' }, [
      post(500, '#Gale warning'),
      ...Array.from({ length: 70 }, (_, i) =>
        post(501 + i, `The gale blew ${others.join(' ')} ${i}`),
      ),
      post(571, '#Galeforce'),
    ])
    assert.deepEqual(await suggested('#gal'), [
      { kind: 'hashtag', value: 'gale', posts: 1 },
      { kind: 'hashtag', value: 'galeforce', posts: 1 },
    ])
    await service.publish({ username: 'gale_table' }, [
      ...Array.from({ length: 70 }, (_, i) =>
        post(601 + i, `#Squall ${others.slice(1).join(' ')} ${i}`),
      ),
      post(671, '#Squash'),
    ])
    assert.deepEqual(await suggested('#squ'), [
      { kind: 'hashtag', value: 'squall', posts: 59 },
      { kind: 'hashtag', value: 'squash', posts: 1 },
    ])
  })

  test('for one letter are channels only; without any match there are none', async () => {
    assert.deepEqual(
      (await suggested('s')).map(({ kind, value }) => `${kind} ${value}`).toSorted(),
      ['channel quiet_place', 'channel storm_watch'],
    )
    assert.deepEqual(await suggested('!!'), [])
    assert.deepEqual(await suggested('zzzz'), [])
  })

  test('leave out words of deleted posts', async () => {
    const now = service.clock.now()
    const text = 'unrepeatable slip'
    const slip = makePost({ number: 90, publishedAt: now, text })
    await service.publish({ username: 'quiet_place' }, [slip])
    assert.equal((await suggested('unrepeat')).length, 1)
    await service.publish({ username: 'quiet_place' }, [], [90])
    assert.deepEqual(await suggested('unrepeat'), [])
  })
})

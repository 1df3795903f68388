import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ALL_EDITS } from '../store/contract/samples.ts'
import { openStage as open } from '../../test/visit-stage.ts'
import { makeMedia, makePost, type Post } from '../model/post.ts'
import { DAY_MS, HOUR_MS } from '../model/time.ts'

const PAGE = 20

/** Members of an album, which has its caption at the first. */
function album(numbers: readonly number[], publishedAt: number, first: number): Post {
  const isWhole = numbers[0] === first
  return makePost({
    number: numbers[0]!,
    publishedAt,
    text: isWhole ? `album ${first}` : '',
    albumNumbers: numbers.length === 1 ? [] : [...numbers],
    media: numbers.map((number) => makeMedia('photo', { number })),
  })
}

/** Every page shows twenty numbers exactly, even if that cuts the albums at its ends. */
test('albums that pages cut are archived whole, once, and without an edit', async () => {
  const s = await open()
  const sent: { first: number; numbers: number[]; at: number }[] = []
  const send = (size: number) => {
    const first = (sent.at(-1)?.numbers.at(-1) ?? 0) + 1
    const numbers = Array.from({ length: size }, (_, i) => first + i)
    sent.push({ first, numbers, at: s.clock.now() })
  }
  const all = () => sent.flatMap(({ numbers }) => numbers)
  const { page } = s.platform.source
  s.platform.source.page = async (name, before, options) => {
    const numbers = all().filter((number) => before === null || number < before)
    const shown = numbers.slice(-PAGE)
    s.channel.posts = sent.flatMap((each) => {
      const here = each.numbers.filter((number) => shown.includes(number))
      return here.length === 0 ? [] : [album(here, each.at, each.first)]
    })
    const outcome = await page(name, before, options)
    return outcome.kind === 'page'
      ? { ...outcome, page: { ...outcome.page, before: numbers.length > PAGE ? shown[0]! : null } }
      : outcome
  }
  send(1)
  for (let visit = 0; visit < 60; visit++) {
    await s.visit()
    s.pass(visit % 10 === 9 ? DAY_MS : HOUR_MS)
    for (let i = 0; i < 1 + (visit % 3); i++) send(1 + ((visit * 7 + i * 3) % 10))
  }
  // An album that a page has cut when it was new is whole as soon as another page shows it so.
  for (let day = 0; day < 2; day++) {
    send(7)
    s.pass(DAY_MS)
    await s.visit()
  }
  const refs = all().map((number) => ({ channelId: s.id, number }))
  const archived = (await s.store.archive.posts(refs)).flatMap((post) => post ?? [])
  assert.deepEqual(
    archived.map(({ number, text, media }) => [number, text, media.length]),
    sent.map(({ first, numbers }) => [first, `album ${first}`, numbers.length]),
  )
  assert.deepEqual((await s.store.edits.list({ ...ALL_EDITS, limit: 9 })).items, [])
})

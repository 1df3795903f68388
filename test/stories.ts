import { createDerive } from '../src/indexing/derive.ts'
import { readLanguageModel } from '../src/language-model.ts'
import { numbersOf } from '../src/simulator/truth.ts'
import { tellStories, type Story } from './simulated/stories.ts'
import { createWorld, type World } from '../src/simulator/world.ts'
import type { SimChannel } from '../src/simulator/population.ts'
import { sampleReading } from '../src/store/contract/samples.ts'
import { createLanguageDetector } from '../src/text/language.ts'
import { startService, type Service } from './api/harness.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

export interface Verdict {
  readonly stories: number
  readonly first: number
  readonly order: number
  readonly came: number
  readonly kinds: number
  /** Descriptions of some that went wrong. */
  readonly wrong: readonly string[]
}

/** Lets the simulator tell stories, archives them as they were before and after their edits, and queries the API for each. */
export async function judgeStories(stories: number, seed: number): Promise<Verdict> {
  const derive = createDerive(createLanguageDetector(await readLanguageModel()))
  await using service = await startService({ derive })
  const get: Get = async (path) => (await service.get(path)).json
  const now = service.clock.now()
  const editAt = now + HOUR
  const world = createWorld({ seed, channels: 0, startAt: now, groups: 0, users: 0, bots: 0 })
  const told = tellStories(world.script, { stories, seed, at: now - 2 * DAY, editAt })
  await readAll(service, world, told.channels)
  const spreads = await judgeSpreads(get, told.stories)
  service.pass(2 * HOUR)
  await readAll(service, world, told.channels)
  return sumUp(told.stories, spreads, await judgeEdits(get, told.stories))
}

type Judged = { readonly isRight: boolean; readonly what: string }
type Spread = Awaited<ReturnType<typeof judgeSpread>>

function sumUp(
  stories: readonly Story[],
  spreads: readonly Spread[],
  kinds: readonly Judged[],
): Verdict {
  const count = (results: readonly { readonly isRight: boolean }[]) =>
    results.filter(({ isRight }) => isRight).length
  const wrong = [...spreads.flatMap(({ first, order, came }) => [first, order, came]), ...kinds]
    .filter(({ isRight }) => !isRight)
    .map(({ what }) => what)
  return {
    stories: stories.length,
    first: count(spreads.map(({ first }) => first)),
    order: count(spreads.map(({ order }) => order)),
    came: count(spreads.map(({ came }) => came)),
    kinds: count(kinds),
    wrong: wrong.slice(0, 20),
  }
}

/** Everything that each channel shows at the service's time, as a faultless reader sees it, and what has been deleted. */
async function readAll(
  service: Service,
  world: World,
  channels: readonly SimChannel[],
): Promise<void> {
  const at = service.clock.now()
  for (const channel of channels) {
    const posts = world.truth
      .slotsAt(channel, at)
      .map((slot) => world.truth.shownAt(channel, slot, at).post)
    const gone = world
      .timeline(channel)
      .slots.filter(({ at: published, deletedAt }) => published <= at && deletedAt <= at)
    if (posts.length + gone.length === 0) continue
    const profile = world.profileAt(channel, at)
    const { archive } = service.store
    const added = await archive.addChannel(profile.username, { at, status: 'queued' })
    if (added.outcome === 'removed') throw new Error(`${profile.username} is removed`)
    const deleted = gone.flatMap(numbersOf)
    await archive.record(sampleReading(added.channel.id, { at, profile, posts, deleted }))
  }
  await service.index()
}

const idOf = ({ username, number }: Story['members'][number]) => `${username}/${number}`

/** The reply at an address, as JSON. */
// oxlint-disable-next-line typescript/no-explicit-any
type Get = (path: string) => Promise<any>

async function judgeSpreads(get: Get, stories: readonly Story[]): Promise<Spread[]> {
  const spreads: Spread[] = []
  for (const story of stories) spreads.push(await judgeSpread(get, story))
  return spreads
}

async function judgeSpread(get: Get, story: Story) {
  const asked = story.members[story.index % story.members.length]!
  // A post that only links is not part of the group, so the spread is requested for one that is.
  const { username, number } = asked.came === 'link' ? story.members[0]! : asked
  const { data } = await get(`/v1/channels/${username}/posts/${number}/spread?limit=50`)
  const members = data.members as { readonly id: string; readonly came: string }[]
  const [truth, found] = [story.members.map(idOf), members.map(({ id }) => id)]
  const tell = (ids: readonly string[]) => ids.join(' ')
  const what = `story ${story.index} (${story.language}): ${tell(truth)} was told as ${tell(found)}`
  const cames = (list: readonly { readonly came: string }[]) => list.map(({ came }) => came).join()
  return {
    first: { isRight: data.first === truth[0], what },
    order: { isRight: tell(truth) === tell(found), what },
    came: {
      isRight: cames(story.members) === cames(members),
      what: `story ${story.index}: ${cames(story.members)} was told as ${cames(members)}`,
    },
  }
}

async function judgeEdits(get: Get, stories: readonly Story[]): Promise<Judged[]> {
  const changes = await changesOf(get)
  return stories.map((story) => {
    const found = (changes.get(idOf(story.members[0]!)) ?? []).join()
    const what = `story ${story.index} (${story.language}): ${story.kind} was told as ${found || 'nothing'}`
    return { isRight: found === story.kind, what }
  })
}

/** All listed changes: the post's id, and the kinds of each of its changes. */
async function changesOf(get: Get): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for (let cursor: string | null = ''; cursor !== null;) {
    const at = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const { data, meta } = await get(`/v1/changes?limit=100${at}`)
    for (const { id, kinds } of data as { readonly id: string; readonly kinds: string[] }[])
      found.set(id, [...(found.get(id) ?? []), kinds.join(' ')])
    cursor = meta.next_cursor as string | null
  }
  return found
}

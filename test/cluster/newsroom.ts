import type { Post } from '../../src/model/post.ts'
import { randomOf } from '../../src/simulator/random.ts'
import { startSimulator, type Simulator } from '../../src/simulator/server.ts'
import type { SimChannel } from '../../src/simulator/population.ts'
import { createWorld } from '../../src/simulator/world.ts'

/** A platform on which posts are published, edited and deleted all the time, each with a word of its own. */
export interface Newsroom extends AsyncDisposable {
  readonly simulator: Simulator
  readonly names: readonly string[]
  /** A further channel in which nothing happens, to be removed. Its posts contain `PARTING`. */
  readonly leaving: string
  /** Publishes a few posts, edits one, sometimes deletes one. */
  work(): void
  /** What a channel shows now, ascending. */
  posts(name: string): readonly Post[]
}

/** In every post. */
export const COMMON = 'quince'
/** In every post of the channel that leaves, and in no other. */
export const PARTING = 'medlar'
const WORD = /\bzq[a-j]+x\b/

/** The word that only this post has; edits keep it. */
export function wordOf(text: string): string {
  return WORD.exec(text)?.[0] ?? ''
}

/** How often the post had been edited when it had this text. */
export function revisionOf(text: string): number {
  return Number(/\btake (\d+)/.exec(text)?.[1] ?? -1)
}

export async function openNewsroom(seed: number, channels: number): Promise<Newsroom> {
  const world = createWorld({ seed, channels: 1, days: 1, startAt: Date.now(), steady: true })
  const simulator = await startSimulator({ world, logSize: 1_000_000 })
  const random = randomOf(seed, 1)
  const names = Array.from({ length: channels }, (_, i) => `newsroom_${i + 1}`)
  const rooms = names.map((username) => world.script.addChannel({ username }))
  let count = 0

  function publish(channel: SimChannel, at: number): void {
    const word = `zq${String(++count).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!)}x`
    world.script.publish(channel, at, { text: textOf(word, 0) })
  }

  function change(name: string, channel: SimChannel, at: number): void {
    // Only changes on the newest page are certain to be seen by the next visit.
    const shown = world.truth.postsAt(name, at).slice(-10)
    const post = shown[random.int(shown.length)]
    if (!post) return
    const isOut = random.chance(0.2)
    if (isOut) world.script.remove(channel, post.number, at)
    else
      world.script.edit(channel, post.number, at, {
        text: textOf(wordOf(post.text), revisionOf(post.text) + 1),
      })
  }

  const leaving = 'newsroom_leaving'
  const last = world.script.addChannel({ username: leaving })
  for (let day = 20; day > 0; day--) {
    world.script.publish(last, Date.now() - day * 86_400_000, { text: `${PARTING} of day ${day}` })
  }

  // A history of four weeks, so that several indices are written.
  rooms.forEach((room, i) => {
    for (let day = 26; day > 0; day--) publish(room, Date.now() - (day * 24 + i) * 3_600_000)
  })

  return {
    simulator,
    names,
    leaving,
    work() {
      const at = Date.now()
      for (let i = 0; i < 3; i++) publish(random.pick(rooms), at)
      const which = random.int(rooms.length)
      change(names[which]!, rooms[which]!, at)
    },
    posts: (name) => world.truth.postsAt(name, Date.now()),
    [Symbol.asyncDispose]: () => simulator.close(),
  }
}

function textOf(word: string, revision: number): string {
  return `${COMMON} ${word}, take ${revision}: the harvest of the day and what became of it`
}

import type { Clock } from '../../../model/clock.ts'
import { refKey, type PostRef } from '../../../model/post.ts'
import { planJoin, shifted, standingIn, type Membership } from '../../group-rules.ts'
import type { Groups } from '../../groups.ts'
import { mark, type MemoryState } from './state.ts'

export function createGroups(state: MemoryState, clock: Clock): Groups {
  const members = new Map<number, PostRef & Membership>()
  const keys = new Map<number, number>()
  const sketches = new Map<number, readonly number[]>()
  let nextGroup = 1

  const membersOf = (group: number) =>
    [...members.values()]
      .filter((each) => each.group === group)
      .sort((a, b) => a.sec - b.sec || a.channelId - b.channelId || a.number - b.number)
  const earliest = (group: number) => membersOf(group).slice(0, 2)

  /** Runs `change`, which moves these posts, and marks every other post whose standing it changes. */
  function shift(groups: Iterable<number>, moved: ReadonlySet<number>, change: () => void): void {
    const before = [...groups].map((group) => ({ group, earliest: earliest(group) }))
    change()
    for (const { group, earliest: were } of before) {
      for (const post of shifted(were, earliest(group), (each) => moved.has(refKey(each)))) {
        const { channelId, number } = post
        mark(state, 'post', { channelId, number, at: clock.now() })
      }
      if (membersOf(group).length === 0) forget(group)
    }
  }

  function forget(group: number): void {
    sketches.delete(group)
    for (const [key, led] of keys) if (led === group) keys.delete(key)
  }

  function leave(posts: readonly PostRef[]): void {
    const held = posts.flatMap((post) => members.get(refKey(post)) ?? [])
    const left = new Set(held.map(refKey))
    const groups = new Set(held.map((each) => each.group))
    shift(groups, left, () => left.forEach((key) => members.delete(key)))
  }

  return {
    async join(posts) {
      const plan = planJoin({ members, keys, sketches, nextGroup }, posts)
      nextGroup += plan.created.size
      shift(plan.touched, new Set(plan.moved.keys()), () => {
        for (const [group, sketch] of plan.created) sketches.set(group, sketch)
        for (const [key, group] of plan.linked) keys.set(key, group)
        for (const [key, { channelId, number, to }] of plan.moved) {
          if (to) members.set(key, { channelId, number, ...to })
          else members.delete(key)
        }
      })
      return posts.map((post, i) => {
        const group = plan.groups[i]
        return standingIn(group, group === undefined ? [] : earliest(group), post)
      })
    },
    async members(group, limit) {
      const first = membersOf(group).slice(0, limit)
      return first.map(({ channelId, number }) => ({ channelId, number }))
    },
    async leave(posts) {
      leave(posts)
    },
    async leaveChannel(channelId) {
      leave([...members.values()].filter((each) => each.channelId === channelId))
    },
    async expire(publishedBefore) {
      const before = Math.floor(publishedBefore / 1000)
      for (const [key, { group, sec }] of members) {
        if (sec >= before) continue
        members.delete(key)
        if (membersOf(group).length === 0) forget(group)
      }
    },
  }
}

import type { PostVersion } from '../../../model/post.ts'
import type { EditHead } from '../../edit-rules.ts'
import {
  comparePositions,
  isListed,
  listedEdit,
  positionOf,
  type EditPosition,
} from '../../walk-edits.ts'
import type { Edits } from '../../edits.ts'
import { keptPosts, refKey, type KeptPost, type KeptVersion, type MemoryState } from './state.ts'

export function createEdits(state: MemoryState): Edits {
  return {
    async list(query) {
      const { order, channelIds, limit } = query
      const after = query.after === null ? null : (JSON.parse(query.after) as EditPosition)
      const at = (head: EditHead) => positionOf(head, order)
      const listed = keptPosts(state)
        .flatMap(headsOf)
        .filter(({ channelId }) => channelIds === null || channelIds.includes(channelId))
        .filter((head) => isListed(head, query))
        .toSorted((a, b) => comparePositions(at(a), at(b)))
      const refs = listed.map(({ channelId, number }) => refKey(channelId, number))
      const found = listed
        .filter((_, i) => order === 'newest' || refs.indexOf(refs[i]!) === i)
        .filter((head) => after === null || comparePositions(at(head), after) > 0)
      const items = found.slice(0, limit).map((head) => listedEdit(head, order))
      return { items, next: found.length > limit ? (items.at(-1)?.next ?? null) : null }
    },
    async ofPost({ channelId, number }, latest = Infinity) {
      return state.posts.get(refKey(channelId, number))?.edits.slice(-latest) ?? []
    },
    async texts(edits) {
      return edits.map(({ channelId, number, revision, kinds }) => {
        const versions = state.posts.get(refKey(channelId, number))?.versions ?? []
        if (kinds.includes('deleted')) return { before: null, next: null }
        const before = versions.find((version) => version.revision === revision)
        const next = versions.find((version) => version.revision > revision)
        return { before: before ? plain(before) : null, next: next ? plain(next) : null }
      })
    },
  }
}

function plain({ capturedAt, text, sha256 }: KeptVersion): PostVersion {
  return { capturedAt, text, sha256 }
}

function headsOf({ post, edits }: KeptPost): EditHead[] {
  const { views, language, deletedAt } = post
  const about = { views: views?.value ?? -1, language, isDeleted: deletedAt !== null }
  return edits.map((edit) => ({ ...edit, ...about }))
}

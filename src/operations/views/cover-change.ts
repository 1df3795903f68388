import type { ArchivedPost, Entity } from '../../model/post.ts'
import { carrySpoilers } from '../../text/edits/carry-spoilers.ts'
import type { Matcher } from '../../text/matcher.ts'
import { maskSpoilers } from '../../text/spoilers.ts'
import type { ChangeView } from './edit.ts'
import { servedPost } from './served-text.ts'

/** A change as a list shows it: with the spoilers of the post masked in both wordings, except the words searched for. */
export function coverChange(change: ChangeView, post: ArchivedPost, matcher: Matcher): ChangeView {
  const isSpoiler = ({ type }: Entity) => type === 'spoiler'
  if (!post.entities.some(isSpoiler)) return change
  const { text: current, entities } = servedPost(post)
  const cover = (text: string) => {
    const spoilers = carrySpoilers(current, entities, text)
    return maskSpoilers(text, spoilers, matcher.find(text, change.language))
  }
  const before = change.before && cover(change.before)
  const after = change.after && cover(change.after)
  return {
    ...change,
    before,
    after,
    named: change.named.map((named) => {
      const wasHidden = isMasked(named.before, change.before, before)
      const isHidden = isMasked(named.after, change.after, after)
      return {
        ...named,
        before: (wasHidden ?? isHidden) === true ? hide(named.before) : named.before,
        after: (isHidden ?? wasHidden) === true ? hide(named.after) : named.after,
      }
    }),
  }
}

/**
 * Whether a text is masked where it has a value, or any word of one that it does not have as it is. Undefined without a
 * text, where a value is as hidden as what it replaced or was replaced by. White space does not count: a negation is named
 * without it if its script has none between words.
 */
function isMasked(
  value: string | null,
  text: string | null,
  covered: string | null,
): boolean | undefined {
  if (text === null || covered === null) return undefined
  if (value === null) return false
  const [bare, shown, whole] = [withoutSpaces(text), withoutSpaces(covered), withoutSpaces(value)]
  const parts = bare.includes(whole) ? [whole] : value.split(/\s+/)
  return parts.some((part) => {
    if (part === '') return false
    for (let at = bare.indexOf(part); at >= 0; at = bare.indexOf(part, at + 1)) {
      if (shown.slice(at, at + part.length) !== part) return true
    }
    return false
  })
}

function withoutSpaces(text: string): string {
  return text.replaceAll(/\s/g, '')
}

function hide(value: string | null): string | null {
  return value && maskSpoilers(value, [{ type: 'spoiler', offset: 0, length: value.length }])
}

import { EMPTY_DRAFT } from './draft.ts'
import { sentence } from './phrases.ts'
import type { SimPeer } from './population.ts'
import { hash32, randomOf, seedOf } from './random.ts'
import { renderPost } from './render-post.ts'
import type { PostFrame } from './shown-post.ts'
import { languageText } from './texts/languages.ts'
import type { World } from './world.ts'

const MESSAGES = 200
const DELETED = 'Deleted Account'

/** A group's message in a widget, the only page that shows groups. Undefined when there is no such message. */
export function renderGroupPost(
  world: World,
  group: SimPeer,
  number: number,
  at: number,
): string | undefined {
  if (number < 1 || number > MESSAGES || number % 10 === 0) return undefined
  const random = randomOf(world.seed, 16, seedOf(group.username), number)
  const text = sentence({ language: languageText('en'), topic: 'technology', random })
  const hours = (MESSAGES - number) * 3
  const frame: PostFrame = {
    username: group.username,
    title: group.title,
    platformId: 1_000_000_000 + (hash32(seedOf(group.username)) % 1_000_000_000),
    avatarUrl: 'https://telegram.org/img/t_logo_2x.png',
    color: 0,
    verified: group.verified,
    at,
    highlight: null,
    embed: true,
    sender: number % 7 === 0 ? DELETED : random.pick(languageText('en').people),
  }
  const post = {
    ...EMPTY_DRAFT,
    number,
    publishedAt: world.startAt - hours * 3_600_000,
    edited: false,
    text,
    media: [],
    poll: null,
    linkPreview: null,
    albumNumbers: [],
    views: null,
    reactions: [],
  }
  return renderPost({ post, draft: { ...EMPTY_DRAFT, text } }, frame)
}

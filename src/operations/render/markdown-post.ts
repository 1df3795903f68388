import { toMarkdown } from '../../text/markup.ts'
import { mediaKinds, mediaOf, reactionTotal, textOf, type Item } from './items.ts'
import { INCOMPLETE_WORDS } from '../views/incomplete.ts'
import { address, counted, line, rounded } from './markdown-words.ts'

/** Posts under the names of their channels; consecutive posts of one channel share a heading. */
export function markdownPosts(items: readonly Item[]): string[] {
  return items.flatMap((item, i) => {
    const isNamed = i > 0 && items[i - 1]!.channel?.username === item.channel?.username
    return [...(isNamed || !item.channel ? [] : [`## ${channelOf(item)}`]), markdownPost(item)]
  })
}

export function channelOf({ channel, id }: Item): string {
  return channel ? `${line(channel.title)} (@${channel.username})` : id
}

/** One post for a language model: its facts, its address, its text and what is attached. */
export function markdownPost(item: Item): string {
  const facts = factsOf(item)
  const lines = [...(facts.length > 0 ? [facts.join(' · ')] : []), address(item.url)]
  if (item.forwarded_from) {
    const { name, post_url } = item.forwarded_from
    lines.push(`Forwarded from ${line(name)}${post_url === null ? '' : ` ${address(post_url)}`}`)
  }
  if (item.reply_to) {
    const { url, text } = item.reply_to
    lines.push(`Reply to ${address(url)}${text ? `: ${line(text)}${cutSign(text)}` : ''}`)
  }
  const paragraphs = [
    lines.join('\n'),
    bodyOf(item),
    item.incomplete === undefined ? '' : `(${INCOMPLETE_WORDS[item.incomplete]})`,
    pollOf(item),
    attachedTo(item),
    versionsOf(item),
  ]
  return paragraphs.filter((paragraph) => paragraph !== '').join('\n\n')
}

const EXCERPT = 80

/** The platform shows only the beginning of the post that is replied to, without marking the cut. */
function cutSign(text: string): string {
  return text.length < EXCERPT || /[\p{P}\p{S}]\s*$/u.test(text) ? '' : '…'
}

function factsOf(item: Item): string[] {
  const kinds = mediaKinds(item)
  return [
    item.published_at,
    item.author ? `by ${line(item.author)}` : null,
    item.views ? counted(item.views.value, 'view') : null,
    reactionsOf(item),
    item.edited === true ? 'edited' : null,
    item.deleted_at === undefined ? null : `deleted ${item.deleted_at}`,
    kinds.length > 0 ? `media: ${kinds.join(', ')}` : null,
    alikeOf(item),
    item.matched === 'some' ? `without: ${(item.missing ?? []).map(line).join(', ')}` : null,
  ].filter((fact) => fact !== null && fact !== undefined)
}

/** How many posts say the same, and which was first. */
export function alikeOf({ id, cluster }: Item): string | null {
  if (!cluster || cluster.size < 2) return null
  const channels = cluster.channels === 1 ? 'one channel' : `${rounded(cluster.channels)} channels`
  const alike = `of ${rounded(cluster.size)} alike in ${channels}`
  if (cluster.first === id) return `first ${alike}`
  return cluster.first === null ? `one ${alike}` : `one ${alike}, first ${cluster.first}`
}

/** The post's own text; what stands in for a missing text is shown separately below when the post is in full. */
function bodyOf(item: Item): string {
  if (item.markdown) return item.markdown
  return toMarkdown(item.text ?? textOf(item), [])
}

/** A poll is a block of its own: whatever followed its options directly would read as one of them. */
function pollOf({ poll }: Item): string {
  if (!poll) return ''
  const voters = poll.voters ? ` (${line(poll.voters.raw)} voters)` : ''
  const options = poll.options.map(
    ({ text, percent }) => `- ${line(text)}${percent === null ? '' : `: ${percent} %`}`,
  )
  return [`Poll: ${line(poll.question)}${voters}`, ...options].join('\n')
}

function attachedTo({ link_preview: preview, buttons = [], ...item }: Item): string {
  const rows: string[] = []
  for (const { kind, title, file_name } of mediaOf(item)) {
    const names = [...new Set([title, file_name])].filter((name) => name !== null)
    if (names.length > 0)
      rows.push(`${kind[0]!.toUpperCase()}${kind.slice(1)}: ${names.map(line).join(', ')}`)
  }
  if (preview) {
    const about = [preview.title, preview.description].filter((part) => part !== null).map(line)
    rows.push(`Preview: ${[...about, address(preview.url)].join(' – ')}`)
  }
  for (const { text, url } of buttons.flat()) {
    rows.push(`Button: ${line(text)}${url === null ? '' : ` ${address(url)}`}`)
  }
  return rows.join('\n')
}

function versionsOf({ versions = [] }: Item): string {
  return versions
    .map(({ captured_at, text, named }) => {
      const shown = text === null ? 'only its hash is kept' : toMarkdown(text, [])
      const changes = named.map(({ before, after }) => line(`${before ?? '–'} → ${after ?? '–'}`))
      const then = changes.length > 0 ? `\n\nThen changed: ${changes.join(', ')}` : ''
      return `## Earlier version, captured ${captured_at}\n\n${shown}${then}`
    })
    .join('\n\n')
}

function reactionsOf(item: Item): string | null {
  const total = reactionTotal(item)
  return total ? counted(total, 'reaction') : null
}

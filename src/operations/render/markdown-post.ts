import { toMarkdown } from '../../text/markup.ts'
import { mediaKinds, mediaOf, reactionTotal, textOf } from './items.ts'
import type { Item } from './items.ts'

/** One post as a language model reads it: what it is, where it stands, its text and what hangs on it. */
export function markdownPost(item: Item, isAlone: boolean): string {
  const title = item.channel ? `${line(item.channel.title)} (@${item.channel.username})` : item.id
  const lines = [isAlone ? `From ${title}` : `## ${title}`]
  const facts = factsOf(item)
  if (facts.length > 0) lines.push(facts.join(' · '))
  lines.push(address(item.url))
  if (item.forwarded_from) {
    const { name, post_url } = item.forwarded_from
    lines.push(`Forwarded from ${line(name)}${post_url === null ? '' : ` ${address(post_url)}`}`)
  }
  if (item.reply_to) {
    const { url, text } = item.reply_to
    lines.push(`Reply to ${address(url)}${text ? `: ${line(text)}` : ''}`)
  }
  const paragraphs = [
    lines.join('\n'),
    bodyOf(item),
    pollOf(item),
    attachedTo(item),
    versionsOf(item),
  ]
  return paragraphs.filter((paragraph) => paragraph !== '').join('\n\n')
}

function factsOf(item: Item): string[] {
  const kinds = mediaKinds(item)
  return [
    item.published_at,
    item.author ? `by ${line(item.author)}` : null,
    item.views ? `${line(item.views.raw)} views` : null,
    reactionsOf(item),
    item.edited === true ? 'edited' : null,
    item.deleted_at === undefined ? null : `deleted ${item.deleted_at}`,
    kinds.length > 0 ? `media: ${kinds.join(', ')}` : null,
    item.matched === 'some' ? `without: ${(item.missing ?? []).map(line).join(', ')}` : null,
  ].filter((fact) => fact !== null && fact !== undefined)
}

/** In full, what is not the post's own text is shown for what it is, below. */
function bodyOf(item: Item): string {
  if (item.markdown) return item.markdown
  return toMarkdown(item.text ?? textOf(item), [])
}

/** A poll stands by itself: what came right behind its options would read as one of them. */
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
    .map(({ captured_at, text }) => {
      const shown = text === null ? 'only its hash is kept' : toMarkdown(text, [])
      return `## Earlier version, captured ${captured_at}\n\n${shown}`
    })
    .join('\n\n')
}

/** A title on one line, its own Markdown escaped. */
export function line(text: string): string {
  return toMarkdown(text.replaceAll(/\s+/g, ' ').trim(), [])
}

/** Addresses of imports hold what they like; between angle brackets they must not end early. */
function address(url: string): string {
  return `<${url.replaceAll(/[\s<>]/g, encodeURIComponent)}>`
}

function reactionsOf(item: Item): string | null {
  const total = reactionTotal(item)
  return total ? `${total} reaction${total === 1 ? '' : 's'}` : null
}

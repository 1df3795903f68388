import { span } from '../../model/duration.ts'
import { diffWords } from '../../text/edits/diff-words.ts'
import type { ChangeView } from '../views/edit.ts'
import type { Item } from './items.ts'
import { counted, line, minute } from './markdown-words.ts'
import { xml } from './rss.ts'

/** Changes as Markdown and as feed entries. */

/** `12 → 21, Ivan → Anna`, or the kinds of the edit when no change can be named. */
export function summaryOf({ kinds, named, after_s: afterS }: ChangeView): string {
  if (kinds.includes('deleted')) return `Deleted ${span(afterS)} after publication`
  if (named.length === 0) return `Changed: ${kinds.join(', ')}`
  return named.map(({ before, after }) => `${before ?? '–'} → ${after ?? '–'}`).join(', ')
}

export function markdownChange(change: ChangeView): string {
  const { id, url, channel, kinds, before, after, views } = change
  const facts = [
    kinds.join(', '),
    `noticed ${minute(change.changed_at)}`,
    change.unchanged_at === null ? null : `last seen as before ${minute(change.unchanged_at)}`,
    `published ${minute(change.published_at)}`,
    views === null ? null : counted(views.value, 'view'),
  ].filter((fact) => fact !== null)
  const quoted = (label: string, text: string | null) =>
    text === null ? [] : [`${label}: ${line(text)}`]
  return [
    `## ${line(summaryOf(change))}`,
    `${line(channel.title)} (${id}) <${url}>\n${facts.join(' · ')}`,
    ...quoted('Before', before),
    ...quoted('After', after),
  ].join('\n\n')
}

/** A feed entry for each change, even if several are of one post. */
export function changeItem(change: ChangeView): Item {
  const { id, slug, url, channel, language, changed_at, kinds } = change
  const summary = `${channel.title || channel.username}: ${summaryOf(change)}`
  return {
    id,
    slug,
    url,
    guid: `${url}#${kinds.includes('deleted') ? 'deleted' : 'changed'}-${Date.parse(changed_at)}`,
    channel,
    language,
    published_at: changed_at,
    text: summary,
    html: `<p>${xml(summary)}</p>${htmlTexts(change)}`,
    hashtags: kinds,
  }
}

function htmlTexts({ before, after }: ChangeView): string {
  if (before === null) return ''
  if (after === null) return `<p><del>${breaks(before)}</del></p>`
  return `<p>${htmlDiff(before, after)}</p>`
}

const TAGS = { same: null, added: 'ins', removed: 'del' } as const

function htmlDiff(before: string, after: string): string {
  return diffWords(before, after)
    .map(({ kind, text }) => {
      const tag = TAGS[kind]
      return tag === null ? breaks(text) : `<${tag}>${breaks(text)}</${tag}>`
    })
    .join('')
    .replaceAll('</del><ins>', '</del> <ins>')
}

function breaks(text: string): string {
  return xml(text).replaceAll('\n', '<br>')
}

import { mediaKinds, reactionTotal, textOf, type Item } from './items.ts'
import type { Rendering } from './rendering.ts'

const COLUMNS: readonly (readonly [string, (item: Item) => string | number | null | undefined])[] =
  [
    ['id', (item) => item.id],
    ['url', (item) => item.url],
    ['channel', (item) => item.channel?.username ?? item.id.split('/')[0]],
    ['channel_title', (item) => item.channel?.title],
    ['published_at', (item) => item.published_at],
    ['first_captured_at', (item) => item.first_captured_at],
    ['edited', (item) => (item.edited === undefined ? undefined : String(item.edited))],
    ['language', (item) => item.language],
    ['text', textOf],
    ['views', (item) => item.views?.value],
    ['reactions', reactionTotal],
    ['media', (item) => mediaKinds(item).join(' ')],
    ['links', (item) => item.links?.join(' ')],
    ['hashtags', (item) => item.hashtags?.join(' ')],
    ['mentions', (item) => item.mentions?.join(' ')],
    ['forwarded_from', (item) => item.forwarded_from?.username ?? item.forwarded_from?.name],
    ['reply_to', (item) => item.reply_to?.url],
    ['score', (item) => item.score],
    ['matched', (item) => item.matched],
    ['deleted_at', (item) => item.deleted_at],
  ]

/** RFC 4180. */
export async function renderCsv({ operation, reply }: Rendering): Promise<string> {
  const rows = [COLUMNS.map(([name]) => name).join(',')]
  for (const item of await operation.items(reply.data)) {
    rows.push(COLUMNS.map(([, value]) => cell(value(item))).join(','))
  }
  return `${rows.join('\r\n')}\r\n`
}

/**
 * A byte order mark. Without it Excel assumes the machine's own code page; with it many programs stumble, so plain CSV has
 * none.
 */
export const EXCEL_MARK = '\uFEFF'

export async function renderExcel(rendering: Rendering): Promise<string> {
  return `${EXCEL_MARK}${await renderCsv(rendering)}`
}

/**
 * A spreadsheet runs a cell that starts like a formula, in some languages also in full-width characters. A leading
 * apostrophe makes it text.
 */
export function cell(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

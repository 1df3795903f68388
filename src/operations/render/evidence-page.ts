import { escapeHtml } from '../../text/markup.ts'
import type { CaptureFacts } from '../evidence-facts.ts'
import type { ArchivedPostView } from '../views/archived-post.ts'
import { servedLine, servedText } from '../views/served-text.ts'
import { INCOMPLETE_WORDS } from '../views/incomplete.ts'

/** A picture that was kept. */
export interface KeptPicture {
  readonly name: string
  readonly type: string
  pieces(): AsyncIterable<Uint8Array>
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#111;background:#fff}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}h3{font-size:1rem}table{border-collapse:collapse;width:100%;font-size:.9rem}
td,th{border-top:1px solid #ccc;padding:.3rem .6rem .3rem 0;text-align:start;vertical-align:top}
th{width:1%;white-space:nowrap}td{overflow-wrap:anywhere}
.text{margin-top:1rem;border-inline-start:4px solid #888;padding-inline-start:1rem;white-space:pre-wrap;overflow-wrap:anywhere}
code{overflow-wrap:anywhere}img{max-width:100%;height:auto}.soft{color:#555}`

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

interface PageOptions {
  readonly post: ArchivedPostView
  readonly facts: CaptureFacts
  readonly pictures: readonly KeptPicture[]
  readonly keysUrl: string
}

/**
 * The evidence package as a person reads it: one file that loads nothing, runs nothing and can be printed. Written in
 * pieces, because it contains the pictures.
 */
export async function* evidencePage(options: PageOptions): AsyncGenerator<Buffer> {
  yield Buffer.from(beforePictures(options))
  for (const picture of options.pictures) yield* pictureOf(picture)
  yield Buffer.from(afterPictures(options))
}

function beforePictures({ post }: PageOptions): string {
  const name = servedLine(post.channel.title) || post.channel.username
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>Evidence of ${escapeHtml(post.id)}</title><style>${STYLE}</style></head><body>
<h1>${escapeHtml(post.id)}</h1>
<p><bdi>${escapeHtml(name)}</bdi>, ${escapeHtml(post.published_at)}, <a href="${escapeHtml(post.url)}" rel="noreferrer">${escapeHtml(post.url)}</a></p>
${post.incomplete === undefined ? '' : `<p class="soft">${escapeHtml(INCOMPLETE_WORDS[post.incomplete])}</p>`}
${originOf(post)}
<div class="text" dir="auto"${post.language === null ? '' : ` lang="${escapeHtml(post.language)}"`}>${post.html}</div>
`
}

function afterPictures({ post, facts, keysUrl }: PageOptions): string {
  return `${pollOf(post)}
${previewOf(post)}
${mediaOf(post)}
${versionsOf(post, facts)}
<h2>When it was captured</h2>
${table([
  ['first captured', facts.first_captured_at],
  ['last captured', facts.last_captured_at],
  ['deleted on the platform', facts.deleted_at ?? 'not as far as is known'],
  ['captured by', `${facts.capture}, parser ${facts.parser_version}`],
  ['SHA-256 of the content', facts.content_sha256],
  ['views', post.views === null ? 'not shown' : `${post.views.raw} (${post.views.as_of})`],
])}
<h2>Visits around it</h2>
${table(facts.visits.map(({ at, saw }) => [at, saw.join('; ')]))}
<h2>The channel</h2>
${table([
  ['name', facts.channel.username],
  ['number on the platform', String(facts.channel.platform_id ?? 'unknown')],
  ['read here since', facts.channel.added_at],
  ['archived without a gap since', facts.channel.archive_from ?? 'unknown'],
  ['archived from its first post', facts.channel.archive_complete ? 'yes' : 'no'],
])}
<h2>How to check this</h2>
<p>Every file of the package this page came in is listed with its hash in <code>manifest.json</code>, which is signed.
<code>telegrep verify &lt;package.zip&gt; --key ${escapeHtml(keysUrl)}</code> checks it, without asking the archive anything but its key.
The signature says what the archive had, not that it is true; the words are their author’s.</p>
</body></html>
`
}

async function* pictureOf({ name, type, pieces }: KeptPicture): AsyncGenerator<Buffer> {
  yield Buffer.from(`<p><img alt="${escapeHtml(name)}" src="data:${escapeHtml(type)};base64,`)
  yield* base64(pieces())
  yield Buffer.from('"></p>\n')
}

/** Three bytes make four characters, so the remainder of a piece is carried over to the next. */
async function* base64(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let over: Uint8Array = Buffer.alloc(0)
  for await (const piece of pieces) {
    const bytes = over.length === 0 ? Buffer.from(piece) : Buffer.concat([over, piece])
    const whole = bytes.length - (bytes.length % 3)
    over = bytes.subarray(whole)
    yield Buffer.from(bytes.toString('base64', 0, whole))
  }
  yield Buffer.from(Buffer.from(over).toString('base64'))
}

/** Who wrote the post if it is not the channel's own, and what it replies to. */
function originOf({
  forwarded_from: from,
  reply_to: answered,
  author,
  via_bot: bot,
}: ArchivedPostView): string {
  const rows: string[][] = []
  if (from) {
    const name = from.username === null ? from.name : `${from.name} (@${from.username})`
    rows.push(['forwarded from', listed([name, from.author, from.post_url])])
  }
  if (answered) rows.push(['answers', listed([answered.url, answered.author, answered.text])])
  if (author !== null) rows.push(['signed by', author])
  if (bot !== null) rows.push(['sent by the bot', `@${bot}`])
  return rows.length === 0 ? '' : table(rows)
}

function pollOf({ poll }: ArchivedPostView): string {
  if (!poll) return ''
  const rows = poll.options.map(({ text, percent }) => [
    percent === null ? 'not counted' : `${percent} %`,
    text,
  ])
  const voters = ['voters', poll.voters === null ? 'not shown' : poll.voters.raw]
  return `<h2>Poll</h2>\n${table([['question', poll.question], ...rows, voters])}`
}

function previewOf({ link_preview: preview }: ArchivedPostView): string {
  if (!preview) return ''
  const { url, site_name: site, title, description } = preview
  const rows = [
    ['address', url],
    ['says', listed([site, title, description])],
  ]
  return `<h2>Preview of a link</h2>\n${table(rows)}`
}

function listed(words: readonly (string | null)[]): string {
  return words.filter((word) => word !== null).join(', ')
}

function mediaOf({ media }: ArchivedPostView): string {
  if (media.length === 0) return ''
  const rows = media.map(({ kind, title, file_name: file, url }) => [
    kind,
    listed([title, file, url]) || 'not named',
  ])
  return `<h2>Attached</h2>\n${table(rows)}`
}

function versionsOf({ versions = [] }: ArchivedPostView, facts: CaptureFacts): string {
  if (versions.length === 0) return ''
  const shown = versions.map(
    (
      { captured_at: at, text, sha256 },
      i,
    ) => `<h3>Version ${i + 1}, last seen ${escapeHtml(at)}</h3>
<div class="text" dir="auto">${versionWords(text)}</div>
<p class="soft">SHA-256 <code>${escapeHtml(sha256)}</code></p>`,
  )
  const cut = `<p>Only the latest ${versions.length}; those before them are not in this package.</p>\n`
  return `<h2>Earlier versions</h2>\n${facts.versions_left_out ? cut : ''}${shown.join('\n')}`
}

function versionWords(text: string | null): string {
  if (text === null) return 'Only its hash is kept.'
  return escapeHtml(servedText(text)) || '<span class="soft">Without words.</span>'
}

function table(rows: readonly (readonly string[])[]): string {
  const lines = rows.map(([name = '', value = '']) => {
    const shown = escapeHtml(servedLine(value))
    return `<tr><th scope="row">${escapeHtml(servedLine(name))}</th><td>${shown}</td></tr>`
  })
  return `<table>${lines.join('\n')}</table>`
}

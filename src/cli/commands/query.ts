import { parsePostRef } from '../../model/post-ref.ts'
import { TYPED_CATALOGUE } from '../../operations/catalogue.ts'
import type { OperationName } from '../../operations/catalogue.ts'
import { ask, askText, exitCodeOf } from '../ask.ts'
import type { TextFormat } from '../ask.ts'
import { EXIT_CODES, UsageError } from '../command.ts'
import type { Command, CommandCall, ExitCode, Flag } from '../command.ts'
import { formatCount, sparkline } from '../format.ts'
import { inputOf, operationFlags } from '../operation-flags.ts'
import { showPost } from '../show-posts.ts'
import type { ShownPost } from '../show-posts.ts'
import { tableLines } from '../table.ts'

const KEY: Record<string, Flag> = {
  key: { type: 'string', value: '<key>', meaning: 'API key, with --url' },
}
const FORMAT: Record<string, Flag> = {
  format: {
    type: 'string',
    value: '<format>',
    meaning: 'print as md, ndjson, csv, rss or jsonfeed',
  },
}

type Input = Record<string, unknown>

/** A command drawn from an operation: its parameters are flags, its reply is shown, printed as JSON or rendered. */
function queryCommand<N extends OperationName>(
  name: N,
  command: Pick<Command, 'name' | 'summary' | 'operands' | 'examples'> & {
    input(operands: readonly string[]): Input
    show(reply: { data: unknown; meta: unknown }, call: CommandCall): void
  },
): Command {
  const operation = TYPED_CATALOGUE[name]
  const hasFormats = operation.formats.length > 1
  return {
    ...command,
    flags: { ...operationFlags(operation), ...(hasFormats ? FORMAT : {}), ...KEY },
    async run(call): Promise<ExitCode> {
      const input = { ...inputOf(operation, call.flags), ...command.input(call.operands) }
      const format = call.flags['format']
      try {
        if (typeof format === 'string' && format !== 'json') {
          if (!operation.formats.includes(format as TextFormat)) {
            throw new UsageError(
              `expected --format ${operation.formats.join(', ')}; found ${format}`,
            )
          }
          call.print.line((await askText(call, name, input, format as TextFormat)).trimEnd())
          return EXIT_CODES.ok.code
        }
        const reply = await ask(call, name, input as never)
        if (call.json || format === 'json') call.print.json(reply)
        else {
          command.show(reply, call)
          for (const warning of reply.warnings) call.print.note(`note: ${warning.detail}`)
        }
        return EXIT_CODES.ok.code
      } catch (error) {
        const code = exitCodeOf(error)
        if (code !== EXIT_CODES.not_found.code) throw error
        call.print.note(`telegrep: ${(error as Error).message}`)
        return code
      }
    },
  }
}

interface SearchMeta {
  readonly total?: { readonly value: number; readonly relation: string }
  readonly next_cursor: string | null
  readonly coverage?: {
    readonly posts: number
    readonly channels: number
    readonly complete: boolean
  }
  readonly facets?: Readonly<
    Record<string, readonly { readonly value: string; readonly count: number }[]>
  >
}

export const search = queryCommand('search_posts', {
  name: 'search',
  summary: 'search the posts of the last 30 days',
  operands: '<query…>',
  examples: [
    { line: 'telegrep search climate change', does: 'words in any form, best first' },
    {
      line: 'telegrep search \'"central bank" -crypto lang:en\' --sort newest',
      does: 'phrases, exclusions, filters',
    },
    { line: 'telegrep search election --facets day,channel --limit 5', does: 'with counts' },
    { line: 'telegrep search election --format csv', does: 'for a spreadsheet' },
  ],
  input: (operands) => (operands.length === 0 ? {} : { q: operands.join(' ') }),
  show(reply, call) {
    const { print } = call
    const meta = reply.meta as SearchMeta
    if (!Array.isArray(reply.data)) {
      print.line(JSON.stringify(reply.data, null, 2))
      return
    }
    if (call.flags['detail'] === 'ids')
      for (const { id } of reply.data as { id: string }[]) print.line(id)
    else for (const post of reply.data as ShownPost[]) showPost(post, print)
    showFacets(meta, call)
    const total = meta.total
      ? `${meta.total.relation === 'gte' ? 'more than ' : ''}${formatCount(meta.total.value)} posts match`
      : ''
    const c = meta.coverage
    const searched = c
      ? `; searched ${formatCount(c.posts)} posts of ${formatCount(c.channels)} channels${c.complete ? '' : ', cut short'}`
      : ''
    print.note(`${total}${searched}`)
    if (meta.next_cursor !== null) print.note(`more: --cursor ${meta.next_cursor}`)
  },
})

function showFacets(meta: SearchMeta, { print }: CommandCall): void {
  for (const [name, values] of Object.entries(meta.facets ?? {})) {
    if (name === 'day' || name === 'hour') {
      print.line(`${print.style.bold(name)}  ${sparkline(values.map((v) => v.count))}`)
      continue
    }
    print.line(print.style.bold(name))
    const rows = values.map((v) => [v.value, formatCount(v.count)])
    for (const line of tableLines(
      [{ title: '' }, { title: '', align: 'right' }],
      rows,
      print.width,
    ).slice(1))
      print.line(`  ${line}`)
  }
}

export const live = queryCommand('get_live_channel', {
  name: 'live',
  summary: 'read a channel from the platform now',
  operands: '<channel>',
  examples: [
    {
      line: 'telegrep live durov --limit 3',
      does: 'the newest posts, also when the channel is not indexed',
    },
    { line: 'telegrep live durov --max-age 0 --json', does: 'force a fetch' },
  ],
  input: (operands) => ({ username: oneOperand(operands, 'a channel such as durov') }),
  show(reply, { print }) {
    const data = reply.data as {
      source: string
      fetched_at: string
      channel: { title: string; username: string; subscribers: { raw: string } | null }
      posts: ShownPost[]
    }
    print.line(
      `${print.style.bold(data.channel.title)} @${data.channel.username}, ${data.channel.subscribers?.raw ?? '?'} subscribers`,
    )
    print.note(`source: ${data.source}, read ${data.fetched_at}`)
    print.line()
    for (const post of data.posts) showPost(post, print)
  },
})

export const post = queryCommand('get_post', {
  name: 'post',
  summary: 'one post in full, with versions and evidence',
  operands: '<channel>/<post>',
  examples: [
    { line: 'telegrep post durov/342', does: 'text, counters, earlier versions, hash' },
    { line: 'telegrep post https://t.me/durov/342 --format md', does: 'a link works too' },
  ],
  input(operands) {
    const given = oneOperand(operands, 'a post such as durov/342')
    const ref = parsePostRef(given)
    if (ref === undefined)
      throw new UsageError(`expected a post such as durov/342; found ${JSON.stringify(given)}`)
    return { username: ref.username, slug: String(ref.number) }
  },
  show(reply, { print }) {
    const data = reply.data as ShownPost & {
      versions: { captured_at: string; text: string | null }[]
      evidence: {
        content_sha256: string
        first_captured_at: string
        last_captured_at: string
        capture: string
      }
    }
    showPost(data, print)
    for (const version of data.versions) {
      print.line(print.style.dim(`earlier version, captured ${version.captured_at}`))
      print.line(`  ${version.text ?? '(only its hash is kept)'}`)
    }
    const { content_sha256, first_captured_at, last_captured_at, capture } = data.evidence
    print.line(print.style.dim(`sha256 ${content_sha256}`))
    print.line(
      print.style.dim(`captured ${first_captured_at} to ${last_captured_at} by ${capture}`),
    )
  },
})

export const channel = queryCommand('get_channel', {
  name: 'channel',
  summary: 'one channel: profile, activity, how complete its archive is',
  operands: '<channel>',
  examples: [{ line: 'telegrep channel durov', does: 'who it is and how much it posts' }],
  input: (operands) => ({ username: oneOperand(operands, 'a channel such as durov') }),
  show(reply, { print }) {
    const c = reply.data as {
      title: string
      username: string
      description: string
      language: string | null
      subscribers: { raw: string } | null
      similar: string[]
      stats: {
        posts: number
        posts_30d: number
        posts_per_day: number
        daily: number[]
        hours: number[]
      }
      index: {
        status: string
        reason: string | null
        archive_from: string | null
        archive_complete: boolean
        last_visited_at: string | null
      }
    }
    print.line(`${print.style.bold(c.title || c.username)} @${c.username}`)
    if (c.description !== '') print.line(c.description)
    print.line(
      `${c.subscribers?.raw ?? '?'} subscribers, ${formatCount(c.stats.posts)} posts archived, ${c.stats.posts_per_day.toFixed(1)} a day${c.language === null ? '' : `, ${c.language}`}`,
    )
    print.line(`30 days  ${sparkline(c.stats.daily)}   hours  ${sparkline(c.stats.hours)}`)
    print.line(
      `${c.index.status}${c.index.reason === null ? '' : ` (${c.index.reason})`}, archive from ${c.index.archive_from?.slice(0, 10) ?? '–'}${c.index.archive_complete ? ', complete' : ''}, visited ${c.index.last_visited_at ?? 'never'}`,
    )
    if (c.similar.length > 0)
      print.line(`similar: ${c.similar.map((name) => `@${name}`).join(' ')}`)
  },
})

export const channels = queryCommand('list_channels', {
  name: 'channels',
  summary: 'list the indexed channels',
  operands: '[words…]',
  examples: [
    { line: 'telegrep channels', does: 'largest first' },
    {
      line: 'telegrep channels news --lang en --sort newest_post',
      does: 'found by words and filters',
    },
    { line: 'telegrep channels --status unavailable', does: 'which cannot be read, and why' },
  ],
  input: (operands) => (operands.length === 0 ? {} : { q: operands.join(' ') }),
  show(reply, { print }) {
    const rows = (
      reply.data as {
        username: string
        title: string
        language: string | null
        subscribers: { raw: string } | null
        posts: number
        last_post_at: string | null
        index: { status: string; reason: string | null }
      }[]
    ).map((c) => [
      c.username,
      c.title,
      c.language ?? '',
      c.subscribers?.raw ?? '',
      formatCount(c.posts),
      c.last_post_at?.slice(0, 10) ?? '',
      c.index.reason === null ? c.index.status : `${c.index.status}: ${c.index.reason}`,
    ])
    if (rows.length === 0) {
      print.note('No channel is indexed that matches. Add some: telegrep add durov')
      return
    }
    const columns = [
      { title: 'channel' },
      { title: 'title', flexible: true },
      { title: 'lang' },
      { title: 'subscribers', align: 'right' as const },
      { title: 'posts', align: 'right' as const },
      { title: 'last post' },
      { title: 'status' },
    ]
    for (const line of tableLines(columns, rows, print.width)) print.line(line)
    const { next_cursor: next } = reply.meta as { next_cursor: string | null }
    if (next !== null) print.note(`more: --cursor ${next}`)
  },
})

function oneOperand(operands: readonly string[], what: string): string {
  const [only, ...rest] = operands
  if (only === undefined || rest.length > 0) throw new UsageError(`expected ${what}`)
  return only
}

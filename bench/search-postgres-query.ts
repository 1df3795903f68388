/** Posts and queries translated for PostgreSQL. */
import { HAS_VALUES, type QueryNode } from '../src/model/query.ts'
import type { IndexDocument } from '../src/search/search-index.ts'
import { analyze } from '../src/text/analyze.ts'
import { analyzeQueryWord } from '../src/text/analyze-query.ts'
import { queryOf, type Corpus, type CorpusQuery } from './search-corpus.ts'

/**
 * PostgreSQL's text search configuration of a language. If it has none, `simple` is applied to words from our analyzer,
 * since PostgreSQL's parser cannot split Chinese, Japanese or Thai.
 */
export function createConfigs(known: ReadonlySet<string>): (language: string | null) => string {
  const names = new Intl.DisplayNames('en', { type: 'language' })
  return (language) => {
    const name = language === null ? undefined : names.of(language)?.toLowerCase()
    return name !== undefined && known.has(name) ? name : SIMPLE
  }
}

const SIMPLE = 'simple'

/** A line in the text format of `copy`. */
export function copyLine(id: number, post: IndexDocument, text: string, config: string): string {
  const { channelId, language, publishedAt, isForward, isReply, isEdited } = post
  const flags = [
    ...HAS_VALUES.map((value) => post.has.includes(value)),
    isForward,
    isReply,
    isEdited,
  ]
  const body = config === SIMPLE ? post.toks.join(' ') : text
  const fields = [id, channelId, language ?? '', publishedAt, ...flags, config, escaped(body)]
  return `${fields.join('\t')}\n`
}

function escaped(text: string): string {
  return text.replaceAll('\0', '').replaceAll(/[\\\n\r\t]/g, (char) => ESCAPES[char]!)
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

export interface Asked {
  readonly config: string
  /** All are required, each as a phrase if it has several tokens. */
  readonly words: readonly string[]
  /** Words of which any suffices when too few posts hold all. */
  readonly some_of: readonly string[]
  /** Required in any case. */
  readonly phrases: readonly string[]
  /** Further conditions, in SQL. */
  readonly filter: string
}

export function askedOf(corpus: Corpus, { q }: CorpusQuery, config: string): Asked {
  const { root } = queryOf(corpus, q, 'relevance')
  const nodes = root === null ? [] : root.kind === 'and' ? root.nodes : [root]
  const words: string[] = []
  const phrases: string[] = []
  const filters: string[] = []
  for (const node of nodes) {
    if (node.kind === 'word') words.push(node.text)
    else if (node.kind === 'phrase' || node.kind === 'quote' || node.kind === 'exact')
      phrases.push(node.text)
    else filters.push(filterOf(node, config))
  }
  const cut = (text: string) => (config === SIMPLE ? toksOf(text) : [text])
  return {
    config,
    words: words.map((text) => cut(text).join(' ')),
    some_of: words.flatMap(cut),
    phrases: phrases.map((text) => cut(text).join(' ')),
    filter: filters.map((filter) => ` and ${filter}`).join(''),
  }
}

/** The tokens as posts hold them, except the last ideograph of a run, which in a post is paired with the next. */
function toksOf(text: string): string[] {
  const { tokens } = analyze(text, null)
  const places = analyzeQueryWord(text).alternatives[0]?.length ?? 0
  return tokens.slice(0, places).map((token) => token.tok)
}

function filterOf(node: QueryNode, config: string): string {
  switch (node.kind) {
    case 'channel':
      return `channel_id = ${Number(node.value)}`
    case 'lang':
      return `language = ${literal(node.value)}`
    case 'has':
      return `has_${node.value}`
    case 'is':
      return `is_${node.value}`
    case 'after':
      return `published_at >= ${node.at}`
    case 'before':
      return `published_at < ${node.at}`
    case 'not':
      return `not (${filterOf(node.node, config)})`
    case 'word':
    case 'phrase':
    case 'quote':
    case 'exact':
      return `tsv @@ phraseto_tsquery(${literal(config)}, ${literal(node.text)})`
    default:
      throw new Error(
        `no query of the benchmark has had ${node.kind} before: PostgreSQL needs it in SQL`,
      )
  }
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

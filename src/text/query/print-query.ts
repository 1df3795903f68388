import type { QueryNode } from '../../model/query.ts'

/** The query in its canonical form: reading it again gives the same tree. */
export function printQuery(node: QueryNode): string {
  switch (node.kind) {
    case 'and':
      return node.nodes.map(printOperand).join(' ')
    case 'or':
      return node.nodes.map(printQuery).join(' OR ')
    case 'not':
      return isGroup(node.node) ? `-(${printQuery(node.node)})` : `-${printQuery(node.node)}`
    case 'word':
      return node.text
    case 'exact':
      return `=${node.text}`
    case 'prefix':
      return `${node.text}*`
    case 'phrase':
      return `"${node.text}"`
    case 'quote':
      return `“${node.text}”`
    case 'hashtag':
      return `#${node.value}`
    case 'mention':
      return `@${node.value}`
    case 'cashtag':
      return `$${node.value.toUpperCase()}`
    case 'url':
      return `url:"${node.value}"`
    case 'channel':
      return `from:${node.value}`
    case 'after':
    case 'before':
      return `${node.kind}:${/\s/.test(node.text) ? `"${node.text}"` : node.text}`
    case 'lang':
    case 'has':
    case 'is':
    case 'domain':
    case 'min_views':
      return `${node.kind}:${node.value}`
  }
}

function isGroup(node: QueryNode): boolean {
  return node.kind === 'and' || node.kind === 'or'
}

function printOperand(node: QueryNode): string {
  return isGroup(node) ? `(${printQuery(node)})` : printQuery(node)
}

/** A query as plain JSON, with one key per node, such as `{and: [{word: 'a'}, {not: {hashtag: 'b'}}]}`. */
type ExplainedQuery = { readonly [kind: string]: unknown }

export function explainQuery(node: QueryNode): ExplainedQuery {
  if ('wanted' in node) {
    const { wanted: _, ...leaf } = node
    return { wanted: explainQuery(leaf) }
  }
  switch (node.kind) {
    case 'and':
    case 'or':
      return { [node.kind]: node.nodes.map(explainQuery) }
    case 'not':
      return { not: explainQuery(node.node) }
    case 'word':
    case 'exact':
    case 'prefix':
    case 'phrase':
    case 'quote':
      return { [node.kind]: node.text }
    case 'after':
    case 'before':
      return { [node.kind]: new Date(node.at).toISOString() }
    default:
      return { [node.kind]: node.value }
  }
}

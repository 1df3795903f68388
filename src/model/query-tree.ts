import type { QueryNode } from './query.ts'

/** Ways through a query, for whoever does not care how its parts are joined. */

export type QueryLeaf = Exclude<QueryNode, { readonly kind: 'and' | 'or' | 'not' }>

/** What has to hold, all of it. */
export function partsOf(root: QueryNode | null): readonly QueryNode[] {
  if (root === null) return []
  return root.kind === 'and' ? root.nodes : [root]
}

/** In the order they stand in; `asked` leaves out what is negated. */
export function leavesOf(
  node: QueryNode | null,
  which: 'all' | 'asked' = 'all',
): readonly QueryLeaf[] {
  if (node === null) return []
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.nodes.flatMap((child) => leavesOf(child, which))
    case 'not':
      return which === 'all' ? leavesOf(node.node, which) : []
    default:
      return [node]
  }
}

export function mapLeaves(node: QueryNode, change: (leaf: QueryLeaf) => QueryNode): QueryNode {
  switch (node.kind) {
    case 'and':
    case 'or':
      return { kind: node.kind, nodes: node.nodes.map((child) => mapLeaves(child, change)) }
    case 'not':
      return { kind: 'not', node: mapLeaves(node.node, change) }
    default:
      return change(node)
  }
}

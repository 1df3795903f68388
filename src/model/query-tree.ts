import type { QueryNode } from './query.ts'

/** Traversals of a query, for callers that do not care how its parts are joined. */

export type QueryLeaf = Exclude<QueryNode, { readonly kind: 'and' | 'or' | 'not' }>

/** The top-level parts, all of which have to match. */
export function partsOf(root: QueryNode | null): readonly QueryNode[] {
  if (root === null) return []
  return root.kind === 'and' ? root.nodes : [root]
}

/** The leaves in the order of the query; `asked` leaves out negated ones. */
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

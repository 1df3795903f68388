/**
 * `after:`, `before:` and `min_views:` narrow the whole query, so they must stand beside its other parts and not inside
 * an alternative or a negated group. An index can then limit its scan by them.
 */
import type { QueryNode } from '../../model/query.ts'
import { leavesOf, partsOf } from '../../model/query-tree.ts'

type Bound = Extract<QueryNode, { kind: 'after' | 'before' | 'min_views' }>

/** True for a part that narrows the whole query, including the negated `-min_views:`. */
export function isBound(part: QueryNode): boolean {
  return isBoundLeaf(part.kind === 'not' ? part.node : part)
}

function isBoundLeaf(node: QueryNode): node is Bound {
  return node.kind === 'after' || node.kind === 'before' || node.kind === 'min_views'
}

/** The first bound that stands inside a group or a negation, where none is allowed. */
export function findStrayBound(root: QueryNode): Bound | undefined {
  return groupsOf(root).flatMap(boundsIn)[0]
}

/** The query with its bounds moved out of their groups to the top level. */
export function liftBounds(root: QueryNode): QueryNode {
  const kept = partsOf(root).flatMap((part) => (isBound(part) ? part : (withoutBounds(part) ?? [])))
  const nodes = [...kept, ...groupsOf(root).flatMap(boundsIn)]
  return nodes.length === 1 ? nodes[0]! : { kind: 'and', nodes }
}

/** The parts that are not bounds themselves. */
function groupsOf(root: QueryNode): QueryNode[] {
  return partsOf(root).filter((part) => !isBound(part))
}

function boundsIn(node: QueryNode): readonly Bound[] {
  return leavesOf(node).filter(isBoundLeaf)
}

function withoutBounds(node: QueryNode): QueryNode | undefined {
  if (isBoundLeaf(node)) return undefined
  if (node.kind === 'not') {
    const inner = withoutBounds(node.node)
    return inner && { kind: 'not', node: inner }
  }
  if (node.kind !== 'and' && node.kind !== 'or') return node
  const nodes = node.nodes.flatMap((child) => withoutBounds(child) ?? [])
  return nodes.length > 1 ? { kind: node.kind, nodes } : nodes[0]
}

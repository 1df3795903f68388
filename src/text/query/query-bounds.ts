/**
 * `after:`, `before:` and `min_views:` narrow the whole query, so they stand beside its other parts and not inside
 * an alternative or a negated group: an index can then cut its scan by them.
 */
import type { QueryNode } from '../../model/query.ts'
import { leavesOf, partsOf } from '../../model/query-tree.ts'

type Bound = Extract<QueryNode, { kind: 'after' | 'before' | 'min_views' }>

function isBound(node: QueryNode): node is Bound {
  return node.kind === 'after' || node.kind === 'before' || node.kind === 'min_views'
}

/** The first bound that stands where none may; `-min_views:` at the top level may. */
export function findStrayBound(root: QueryNode): Bound | undefined {
  for (const part of partsOf(root)) {
    const inner = part.kind === 'not' ? part.node : part
    if (isBound(inner)) continue
    const stray = boundsIn(inner)[0]
    if (stray) return stray
  }
  return undefined
}

/** The query with its bounds taken out of their groups and put beside them. */
export function liftBounds(root: QueryNode): QueryNode {
  const parts = partsOf(root)
  const kept = parts.flatMap((part) => {
    const rest = isBound(part.kind === 'not' ? part.node : part) ? part : withoutBounds(part)
    return rest ? [rest] : []
  })
  const lifted = parts.flatMap((part) =>
    isBound(part.kind === 'not' ? part.node : part) ? [] : boundsIn(part),
  )
  const nodes = [...kept, ...lifted]
  return nodes.length === 1 ? nodes[0]! : { kind: 'and', nodes }
}

function boundsIn(node: QueryNode): readonly Bound[] {
  return leavesOf(node).filter(isBound)
}

function withoutBounds(node: QueryNode): QueryNode | undefined {
  if (isBound(node)) return undefined
  if (node.kind === 'not') {
    const inner = withoutBounds(node.node)
    return inner && { kind: 'not', node: inner }
  }
  if (node.kind !== 'and' && node.kind !== 'or') return node
  const nodes = node.nodes.flatMap((child) => withoutBounds(child) ?? [])
  return nodes.length > 1 ? { kind: node.kind, nodes } : nodes[0]
}

import type { Operation, Reply } from '../operation.ts'

/** A reply and its addresses, for the formats other than JSON. */
export interface Rendering {
  readonly operation: Operation
  readonly reply: Reply
  /** The request's own address. */
  readonly selfUrl: string
  /** The address of the next page; null at the end. */
  readonly next: string | null
}

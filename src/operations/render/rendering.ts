import type { Operation, Reply } from '../operation.ts'

/** A reply and where it stands, for the forms that are not JSON. */
export interface Rendering {
  readonly operation: Operation
  readonly reply: Reply
  /** The request's own address. */
  readonly selfUrl: string
  /** The next page's, null at the end. */
  readonly next: string | null
}

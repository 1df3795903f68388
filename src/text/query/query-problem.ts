/** Why a query cannot be read, with the string that the next attempt should read instead. */
export class QueryProblem extends Error {
  override name = 'QueryProblem'
  /** UTF-16 offset into the query as given, from 0. */
  readonly position: number
  /** The query with this one problem mended; it may have others. */
  readonly mended: string
  /** What a lenient reader reads instead; undefined where only the author can know what was meant. */
  readonly read: string | undefined

  constructor(
    position: number,
    message: string,
    mended: string,
    {
      read = mended,
      isRefused = false,
    }: { readonly read?: string; readonly isRefused?: boolean } = {},
  ) {
    super(message)
    this.position = position
    this.mended = mended
    this.read = isRefused ? undefined : read
  }
}

/** `text` with one range replaced. */
export function replaceRange(text: string, start: number, end: number, by: string): string {
  return `${text.slice(0, start)}${by}${text.slice(end)}`
}

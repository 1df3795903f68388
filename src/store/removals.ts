/** The opt-out register: what was removed at its owner's request and must never come back. */

export interface Removal {
  /** Lower case. */
  readonly name: string
  readonly platformId: number | null
  /** Null for the whole channel. */
  readonly number: number | null
  readonly reason: string
  readonly removedAt: number
}

export interface RemovedParts {
  readonly channel: boolean
  readonly numbers: readonly number[]
}

export interface Removals {
  /**
   * Erases a channel everywhere in the store and registers it by name and numeric id, even if it was never archived.
   * The index is told by a change. Resolves to how many posts were erased. Repeating it is harmless.
   */
  removeChannel(name: string, reason: string, at: number): Promise<{ readonly posts: number }>
  /** The same for one post (an album with all its members). */
  removePost(
    name: string,
    number: number,
    reason: string,
    at: number,
  ): Promise<{ readonly posts: number }>
  /** Takes an entry out of the register; what was erased stays erased. False when there was no such entry. */
  undo(name: string, number: number | null): Promise<boolean>
  /** The entry of a channel, found by name or by numeric id. */
  find(channel: {
    readonly name?: string
    readonly platformId?: number | null
  }): Promise<Removal | undefined>
  /**
   * What the register has of a channel with these names and numeric ids: the whole channel, or some of the given numbers.
   * One call serves a whole page.
   */
  removed(
    channel: { readonly names: readonly string[]; readonly platformIds?: readonly number[] },
    numbers: readonly number[],
  ): Promise<RemovedParts>
  list(): Promise<readonly Removal[]>
  /** Finishes removals that a crash or a full disk interrupted, in this process or another. */
  resume(): Promise<void>
}

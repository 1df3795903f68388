/** The opt-out register: what was removed at its owner's wish and must never come back. */

export interface Removal {
  /** Lower case. */
  readonly name: string
  readonly platformId: number | null
  /** Null: the whole channel. */
  readonly number: number | null
  readonly reason: string
  readonly removedAt: number
}

export interface Barred {
  readonly channel: boolean
  readonly numbers: readonly number[]
}

export interface Removals {
  /**
   * Erases a channel everywhere in the store and registers it by name and numeric id, also when it was never archived;
   * the index learns by a change. Resolves to how many posts were erased. Repeating it is harmless.
   */
  removeChannel(name: string, reason: string, at: number): Promise<{ readonly posts: number }>
  /** The same for one post (an album with all its members). */
  removePost(
    name: string,
    number: number,
    reason: string,
    at: number,
  ): Promise<{ readonly posts: number }>
  /** Lifts an entry; what was erased stays erased. False when there was none. */
  undo(name: string, number: number | null): Promise<boolean>
  /** Is this channel in the register, by name or by numeric id? */
  find(channel: {
    readonly name?: string
    readonly platformId?: number | null
  }): Promise<Removal | undefined>
  /**
   * What the register bars of a channel that has these names and numeric ids: all of it, or which of the numbers asked about.
   * One call serves a whole page.
   */
  barred(
    channel: { readonly names: readonly string[]; readonly platformIds?: readonly number[] },
    numbers: readonly number[],
  ): Promise<Barred>
  list(): Promise<readonly Removal[]>
  /** Ends what a crash or a full disk interrupted, here or in another process. */
  resume(): Promise<void>
}

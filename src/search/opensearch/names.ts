/** What the indices of one analyzer version are called. Queries and posts must be cut alike, so each version has its own. */
export interface Names {
  /** Stands for the weeks of the generation that serves. */
  readonly alias: string
  /** Subscribers of channels. */
  readonly channels: string
  /** Which generation serves, and who writes; a document for each analyzer version. */
  readonly meta: string
  readonly metaId: string
  /** Another name of `meta`, to write by: where that is gone, nothing makes one without a mapping. */
  readonly metaWrites: string
  /** Every index of a generation, or of all. */
  weeks(generation: number | '*'): string
  week(generation: number, week: number): string
  /** Undefined for what is no week of this analyzer version. */
  parse(index: string): { readonly generation: number; readonly week: number } | undefined
}

export function createNames(prefix: string, analyzerVersion: number): Names {
  const base = `${prefix}-a${analyzerVersion}`
  return {
    alias: base,
    channels: `${base}-channels`,
    meta: `${prefix}-meta`,
    metaId: `a${analyzerVersion}`,
    metaWrites: `${prefix}-meta-write`,
    weeks: (generation) => `${base}-g${generation}-*`,
    week: (generation, week) => `${base}-g${generation}-${week}`,
    parse(index) {
      if (!index.startsWith(`${base}-g`)) return undefined
      const found = /^(\d+)-(\d+)$/.exec(index.slice(base.length + 2))
      return found ? { generation: Number(found[1]), week: Number(found[2]) } : undefined
    },
  }
}

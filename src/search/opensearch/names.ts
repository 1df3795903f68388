/** The names of the indices of one analyzer version. Each has its own: queries and posts must be analysed alike. */
export interface Names {
  /** Alias of the weeks of the serving generation. */
  readonly alias: string
  /** Index of the channels' subscribers. */
  readonly channels: string
  /** Index of the state: which generation serves, and who writes. It has a document for each analyzer version. */
  readonly meta: string
  readonly metaId: string
  /** Alias of `meta` for writing: if the index is gone, a write cannot create one without a mapping. */
  readonly metaWrites: string
  /** Pattern of the indices of one generation, or of all. */
  weeks(generation: number | '*'): string
  week(generation: number, week: number): string
  /** Undefined if it is no week of this analyzer version. */
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

/** What could not be read on a page, or was not believed. Warnings are counted and never thrown. */
const WARNING_CODES = [
  'input_cut',
  'nodes_cut',
  'posts_cut',
  'text_cut',
  'post_without_number',
  'post_without_date',
  'post_date_out_of_range',
  'post_empty',
  'post_repeated',
  'foreign_post',
  'foreign_member',
  'count_unreadable',
  'unknown_part',
] as const
export type WarningCode = (typeof WARNING_CODES)[number]

export interface ParseWarning {
  readonly code: WarningCode
  readonly detail: string
  /** The post it is about. */
  readonly number: number | null
}

export type Warn = (code: WarningCode, detail: string, number?: number) => void

/** What every reader is given: when the page was fetched, and where to report warnings. */
export interface ReadContext {
  readonly at: number
  readonly warn: Warn
}

const MAX_WARNINGS = 100
const MAX_DETAIL = 200

export function createWarnings(): { readonly list: ParseWarning[]; readonly warn: Warn } {
  const list: ParseWarning[] = []
  return {
    list,
    warn(code, detail, number) {
      if (list.length >= MAX_WARNINGS) return
      list.push({ code, detail: detail.slice(0, MAX_DETAIL), number: number ?? null })
    },
  }
}

/** How a segment stands in its tables: what its writer and its reader agree on. */

/** A segment's pages and lists are numbered from here on. */
export const firstPart = (segment: number) => segment * 2 ** 22

/** Terms stand on a page with spaces between them, in SQLite's UTF-8. */
export function isStorable(term: string): boolean {
  return term !== '' && !term.includes(' ') && term.isWellFormed()
}

/** How the list is kept: in the entry itself, in rows of so many posts, or in rows of a bit for each. */
export const LAYOUTS = ['inline', 'parts', 'bits'] as const
export type Layout = (typeof LAYOUTS)[number]

/** What is kept of each post beside the list, in the order of their numbers, which stand beside the layout's. */
export const DETAILS = [null, 'places', 'times'] as const
export type Details = (typeof DETAILS)[number]

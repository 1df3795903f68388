/** The beginning of a text: at most `max` UTF-16 units, never splitting a surrogate pair. */
export function clipText(text: string, max: number): string {
  return text.length > max ? text.slice(0, max).replace(/[\ud800-\udbff]$/, '') : text
}

/** At most `max` UTF-16 units. A longer text ends with `…`, after a whole word if one ends in the second half. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  const begun = clipText(text, max - 1)
  const space = begun.search(/\s\S*$/u)
  return `${space > max / 2 ? begun.slice(0, space).trimEnd() : begun}…`
}

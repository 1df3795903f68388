/** The beginning of a text: at most `max` UTF-16 units, and never half a character. */
export function clipText(text: string, max: number): string {
  return text.length > max ? text.slice(0, max).replace(/[\ud800-\udbff]$/, '') : text
}

/** A text of at most `max` units. Where it was longer it ends with `…`, after a whole word if one ends in its second half. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  const begun = clipText(text, max - 1)
  const space = begun.search(/\s\S*$/u)
  return `${space > max / 2 ? begun.slice(0, space).trimEnd() : begun}…`
}

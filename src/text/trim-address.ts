const TRAILING = /[.,;:!?…'’\]}>]/u
const OPENING = 0x28
const CLOSING = 0x29

/** An address without the punctuation of the sentence around it, nor a closing bracket that was not opened inside. */
export function trimAddress(found: string): string {
  let unopened = 0
  if (found.includes(')')) {
    for (let i = 0; i < found.length; i++) {
      const unit = found.charCodeAt(i)
      if (unit === OPENING) unopened--
      else if (unit === CLOSING) unopened++
    }
  }
  let end = found.length
  for (; end > 0; end--) {
    const isClosing = found.charCodeAt(end - 1) === CLOSING
    if (isClosing ? unopened <= 0 : !TRAILING.test(found[end - 1]!)) break
    if (isClosing) unopened--
  }
  return found.slice(0, end)
}

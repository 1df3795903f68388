import characters from 'opencc-js/dict/TSCharacters'

/** Maps traditional characters to simplified ones, so that 臺灣 and 台湾 match. Built on the first Chinese text. */
let table: Uint16Array | undefined

const FIRST = 0x3400
const LAST = 0x9fff

/** The simplified form of one UTF-16 unit; anything else comes back as it is. */
export function simplifiedUnit(unit: number): number {
  if (unit < FIRST || unit > LAST) return unit
  table ??= buildTable()
  return table[unit - FIRST] || unit
}

export function simplified(text: string): string {
  let out = ''
  for (let i = 0; i < text.length; i++)
    out += String.fromCharCode(simplifiedUnit(text.charCodeAt(i)))
  return out
}

function buildTable(): Uint16Array {
  const simple = new Uint16Array(LAST - FIRST + 1)
  for (const entry of characters.split('|')) {
    const [from, to] = entry.split(' ')
    // Pairs beyond the BMP are rare characters that stay as they are.
    if (from?.length === 1 && to?.length === 1) {
      const unit = from.charCodeAt(0)
      if (unit >= FIRST && unit <= LAST) simple[unit - FIRST] = to.charCodeAt(0)
    }
  }
  return simple
}

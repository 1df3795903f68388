import { displayWidth, type Printer } from './print.ts'
import { wrap } from './wrap.ts'

/** A text beside its name. On a terminal it is broken between words and stays beside; in a pipe a line stays a line. */
export function showRow(name: string, text: string, print: Printer): void {
  const indent = displayWidth(name)
  const [first = '', ...further] = print.isTerminal ? wrap(text, print.width - indent) : [text]
  print.line(`${name}${first}`)
  for (const line of further) print.line(`${' '.repeat(indent)}${line}`)
}

import { displayWidth, type Printer } from './print.ts'
import { wrap } from './wrap.ts'

/** A text beside its label. On a terminal it is wrapped and stays beside the label; in a pipe lines are not broken. */
export function showRow(name: string, text: string, print: Printer): void {
  const indent = displayWidth(name)
  const [first = '', ...further] = print.isTerminal ? wrap(text, print.width - indent) : [text]
  print.line(`${name}${first}`)
  for (const line of further) print.line(`${' '.repeat(indent)}${line}`)
}

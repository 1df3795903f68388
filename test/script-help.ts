import { readFileSync } from 'node:fs'

/** What a script says about itself and its arguments: the comment at its top, as plain text. */
export function scriptHelp(file: string): string {
  const [, comment] = /^\/\*\*(.*?)\*\/$/ms.exec(readFileSync(file, 'utf8')) ?? []
  if (comment === undefined) throw new Error(`${file} does not say what it does`)
  return comment.replaceAll(/^ \* ?/gm, '').trim()
}

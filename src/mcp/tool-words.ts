import { apiWords, reworded, type Hint } from '../model/hint.ts'

/** A message with its hint as a client with tools alone can follow it: it cannot request addresses. */
export function toolWords(message: { readonly detail: string; readonly hint?: Hint }): string {
  return reworded(message, (hint) => {
    if ('operation' in hint) return `${hint.operation} ${hint.does}`
    if ('reference' in hint) return `its schema lists those that ${hint.reference} takes`
    // Told in the words of every error.
    return 'after_s' in hint ? null : apiWords(hint)
  })
}

/** What is typical of a language, for the rules that vote beside the model. */
export interface Profile {
  readonly code: string
  /** Letters beyond those that all languages of the script have; a letter that only others list speaks against this one. */
  readonly letters: string
  /** Letters common to the script that occur in this language only in names. */
  readonly lacks?: string
  /** Pairs of letters that its spelling rules out, separated by spaces. */
  readonly never?: string
  /** Its commonest words, separated by spaces. */
  readonly words: string
  /** Its frequent endings of two to five letters, separated by spaces. */
  readonly endings: string
}

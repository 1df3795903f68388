/** What a language looks like to the rules that vote beside the models. */
export interface Profile {
  readonly code: string
  /** Letters beyond those every language of the script has; a letter of another language speaks against this one. */
  readonly letters: string
  /** Letters of the script's common stock that only names bring into it. */
  readonly lacks?: string
  /** Pairs of letters its spelling rules out, separated by spaces. */
  readonly never?: string
  /** Its commonest words, separated by spaces. */
  readonly words: string
  /** Endings of two to five letters that are frequent in it, separated by spaces. */
  readonly endings: string
}

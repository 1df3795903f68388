import type { Hint } from '../model/hint.ts'

/** Where the languages are that can be asked for. */
export const HELD_LANGUAGES: Hint = {
  operation: 'list_languages',
  input: {},
  does: 'lists those that are held',
}

/** For who gave a channel's title as its name. */
export const BY_TITLE: Hint = {
  operation: 'list_channels',
  input: {},
  does: 'finds channels by their titles',
}

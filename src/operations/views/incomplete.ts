import type { INCOMPLETE } from '../../model/post.ts'

/** Explains why a reader sees only part of a post. */
export const INCOMPLETE_WORDS: Readonly<Record<(typeof INCOMPLETE)[number], string>> = {
  not_shown: 'Telegram shows this post in its app only: its text could not be read.',
  text_cut: 'Telegram shows this post in its app only: this is the beginning of its text.',
  text_only:
    'Telegram shows this post in its app only: this is its text, without media and formatting.',
}

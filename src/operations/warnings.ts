/** Every warning there is, and when it is given; the documentation lists exactly these. */
export const WARNINGS = {
  window_clipped: 'The window reaches back further than search does.',
  window_empty:
    'The window ends before it begins, or begins over an hour from now: no post can match.',
  channel_not_indexed: 'A channel that was asked for is not indexed here; its live read is named.',
  channel_not_read_yet: 'A channel that was asked for waits for its first visit.',
  archive_begins:
    'What was asked for reaches back to where the archive of a channel begins: it may have earlier posts that were not read.',
  channel_removed: 'A channel that was asked for was removed and is in no answer.',
  one_channel:
    'The first page by relevance is of one channel alone, and there are more posts; `exclude_channel` shows those of others.',
  language_not_held: 'No post or channel is in a language that was asked for.',
  word_not_held:
    'No post holds every word, and a word that was asked for none at all; `suggestion` is the query with the nearest word that posts hold. Posts that hold that one are shown, each with `matched: some`.',
  query_repaired:
    'The query could not be read as it stands and was mended; `suggestion` is the query that was read. `strict=true` refuses it instead.',
  read_as_text:
    'The query reads as running text: signs in it are no operators, and what they mark is wanted, not required.',
  renamed: 'The channel was asked for by a former or further name.',
  served_from_archive: 'The platform failed; a live read was answered from the archive.',
  read_cut_short:
    'The platform failed while a live read went on to further pages: there are fewer posts than were asked for.',
  versions_left_out: 'The post was changed so often that only its latest versions are shown.',
  not_timestamped:
    'The operator’s timestamp authority could not be asked; the package is signed all the same.',
  reply_shortened: 'Over MCP: the reply was cut to what a model can read at once.',
} as const

/** Something the caller should know about an answer that is right all the same. */
export interface Warning {
  readonly code: keyof typeof WARNINGS
  readonly parameter?: string
  readonly detail: string
  /** The parameter as it may have been meant. */
  readonly suggestion?: string
}

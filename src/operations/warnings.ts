import type { Hint } from '../model/hint.ts'

/** Every warning, and when it is given; the documentation lists exactly these. */
export const WARNINGS = {
  window_clipped: 'The time window begins before the searchable 30 days and was shortened.',
  window_empty:
    'The time window ends before it begins, or begins more than an hour from now, so no post can match.',
  channel_not_indexed:
    'A requested channel is not indexed here; the warning names the address of its live read.',
  channel_not_read_yet: 'A requested channel has not been read yet.',
  archive_begins:
    'The request reaches back to the beginning of a channel’s archive; the channel may have earlier posts that were not read.',
  channel_removed: 'A requested channel was removed and appears in no answer.',
  all_words_required:
    'No post has all the words, which every order but `sort=relevance` requires; by relevance, posts with some of them are found.',
  one_channel:
    'The whole first page by relevance comes from one channel although there are more posts; `exclude_channel` shows those of other channels.',
  language_not_held: 'No indexed post or channel is in a requested language.',
  word_not_held:
    'No post has all the words, and one of the words is in no post at all. `suggestion` is the query with the nearest word that is; posts with that word are shown with `matched: some`.',
  query_is_name:
    'The query is nothing but the name of an indexed channel, or the link or id of one of its posts. Posts that mention it or link to it are found; the warning names the address of the channel or post itself.',
  query_repaired:
    'The query could not be read as it stands and was repaired; `suggestion` is the query that was used. `strict=true` refuses it instead.',
  read_as_text:
    'The query was read as running text: signs in it are not operators, and what they mark is preferred, not required.',
  renamed: 'The channel was requested by a former or additional name.',
  served_from_archive: 'The platform failed; a live read was answered from the archive.',
  read_cut_short:
    'The platform failed while further pages of a live read were fetched, so there are fewer posts than requested.',
  looked_through:
    'With `q`, a live read looks only through the posts that it has read: the warning says how many these are, and from which `before` looks further back.',
  versions_left_out: 'The post was changed so often that only its latest versions are shown.',
  not_timestamped:
    'The operator’s timestamp authority could not be reached; the package is signed without a timestamp.',
  reply_shortened: 'Over MCP: the reply was shortened to what a model can read at once.',
} as const

/** Something the caller should know about an answer that is nevertheless right. */
export interface Warning {
  readonly code: keyof typeof WARNINGS
  readonly parameter?: string
  readonly detail: string
  /** The parameter as it was probably meant. */
  readonly suggestion?: string
  /** Told at the end of the detail. */
  readonly hint?: Hint
}

import type { ErrorCode } from '../model/errors.ts'

/** What to do about each error; shown at its `type` address and in `docs/errors.md`. */
export const ERROR_ADVICE: Readonly<Record<ErrorCode, string>> = {
  invalid_parameter:
    'Each entry of `errors` names the parameter, what was expected, and the nearest accepted value if there is one.',
  unknown_parameter:
    'Parameters are snake_case. `errors[].suggestion` is the nearest name that exists; the API reference lists all of them.',
  missing_parameter:
    'Give the parameter that `errors` names. A search needs `q` or at least one filter.',
  invalid_query:
    '`errors[].position` is the 0-based UTF-16 offset of the problem in `q`; `suggestion` is a corrected query.',
  invalid_username:
    'Names have 4 to 32 letters, digits or single underscores and begin with a letter. `@name`, `t.me/name` and `https://t.me/s/name` are accepted too.',
  invalid_cursor: 'Send `next_cursor` exactly as you received it, or start again without a cursor.',
  cursor_expired: 'Cursors are valid for seven days. Start again without one.',
  cursor_mismatch:
    'A cursor belongs to the query it came from. Between pages only `limit`, `format` and `detail` may change.',
  key_in_url:
    'Addresses end up in logs and histories. Send the key as `Authorization: Bearer <key>` or `X-API-Key: <key>`, and have this one revoked.',
  invalid_request:
    'The request was not valid HTTP, its address was not percent-encoded, or its parts contradict each other.',
  invalid_key:
    'The key is misspelt, unknown or revoked. Without a key the anonymous tier applies, if the operator allows it.',
  key_required: 'The operator asks for a key: send `Authorization: Bearer <key>`.',
  origin_not_allowed:
    'The service is somebody’s own, for the machine it runs on. With `TELEGREP_PUBLIC_URL` on another host it answers pages of every site.',
  host_not_allowed:
    'The service is somebody’s own, for the machine it runs on: ask it as `localhost`, or have its operator set `TELEGREP_PUBLIC_URL` to the address that others use.',
  not_found: 'There is no such path. `/docs` lists the existing ones.',
  channel_not_found: 'Nobody on the platform has this name now. It may be misspelt or abandoned.',
  channel_not_indexed:
    'The channel is not in the archive. `links.live` reads it from the platform instead.',
  post_not_found: 'The number was never used, or the post was not archived.',
  method_not_allowed: 'Use GET or HEAD; `Allow` lists the methods of the address.',
  not_acceptable: 'Request one of the operation’s formats with `format=` or `Accept`.',
  channel_removed:
    'Its owner or the operator asked for it; the channel appears in no answer and is never read again.',
  post_deleted:
    '`published_at` and `deleted_at` say when; `evidence` says what was seen and when, without the text.',
  post_removed: 'It will not come back.',
  uri_too_long: 'Addresses may have up to 8192 characters. Shorten the lists of filters.',
  channel_unavailable:
    '`reason` says why: `preview_disabled`, `restricted`, `is_group`, `is_user`, `is_bot` or `private`. Retrying soon will not help.',
  quota_exceeded:
    '`violated-policies` names the quotas that are used up; `Retry-After` says when to try again. `/v1/meta` shows all quotas and costs nothing.',
  header_fields_too_large: 'All headers together may have up to 16 KiB.',
  internal: 'This is our fault. It was logged under `request_id`; try again later.',
  upstream_failed: 'The platform failed or sent something unreadable. Try again in a minute.',
  overloaded:
    'The service has too many requests at once. Wait `Retry-After` seconds, then try again.',
  upstream_throttled: 'The platform asked us to pause. Wait `Retry-After` seconds.',
  unavailable:
    'The service could not answer in time, or its database cannot be reached. `reason` is `index_unavailable` while the search index cannot be reached and `index_rebuilding` while it is rebuilt. Wait `Retry-After` seconds, then try again.',
  upstream_timeout: 'The platform was too slow. Try again in a minute.',
}

import type { ErrorCode } from '../model/errors.ts'

/** What to do about each error; shown at its `type` address and in `docs/errors.md`. */
export const ERROR_ADVICE: Readonly<Record<ErrorCode, string>> = {
  invalid_parameter:
    'Each entry of `errors` names the parameter, what was expected, and where there is one the nearest value that would do.',
  unknown_parameter:
    'Parameters are snake_case. `errors[].suggestion` is the nearest name the operation has; the API reference lists all.',
  missing_parameter:
    'Give the parameter that `errors` names. A search needs `q` or at least one filter.',
  invalid_query:
    '`errors[].position` is the 0-based UTF-16 place of the problem in `q`, `suggestion` a corrected query.',
  invalid_username:
    'Names have 4 to 32 letters, digits or single underscores and begin with a letter. `@name`, `t.me/name` and `https://t.me/s/name` are accepted too.',
  invalid_cursor:
    'Send `next_cursor` exactly as it came; start again without a cursor if it is lost.',
  cursor_expired: 'Cursors live for seven days. Start the walk again without one.',
  cursor_mismatch:
    'A cursor belongs to the query it came from. Only `limit`, `format` and `detail` may change along a walk.',
  key_in_url:
    'Addresses end up in logs and histories. Send the key as `Authorization: Bearer <key>` or `X-API-Key: <key>`, and have this one revoked.',
  invalid_request:
    'The request was not valid HTTP, its address was not percent-encoded, or its parts contradict each other.',
  invalid_key:
    'The key is misspelt, unknown or revoked. Without any key the anonymous tier applies where it is on.',
  key_required: 'The operator asks for a key: send `Authorization: Bearer <key>`.',
  origin_not_allowed:
    'Use an MCP client that is no web page, or one served from this site; the HTTP API is open to every page.',
  not_found: 'There is no such path. `/docs` lists those there are.',
  channel_not_found:
    'Nobody on the platform has this name now. It may be misspelt, or was given up.',
  channel_not_indexed:
    'The channel is not in the archive. `links.live` reads it on the platform instead.',
  post_not_found: 'The number was never used, or the post was not archived.',
  method_not_allowed:
    'Everything is read with GET or HEAD, a long search with QUERY too; `Allow` names what the address serves.',
  not_acceptable: 'Ask for one of the formats the operation has, by `format=` or `Accept`.',
  channel_removed:
    'Its owner or the operator wished it; it is in no answer and is never read again.',
  post_deleted:
    'The post was deleted on the platform. `evidence` says what was seen and when, without the text.',
  post_removed: 'The post was removed on request and will not come back.',
  content_too_large: 'A QUERY takes at most 64 KiB of parameters; lists have at most 50 values.',
  uri_too_long: 'Addresses may have 8192 characters. Shorten lists of filters.',
  unsupported_media_type:
    'Send the parameters of a QUERY as a JSON object, `Content-Type: application/json`.',
  channel_unavailable:
    '`reason` says why: `preview_disabled`, `restricted`, `is_group`, `is_user`, `is_bot` or `private`. Asking again changes nothing soon.',
  quota_exceeded:
    '`violated-policies` names what is used up, `Retry-After` says when there is more. `/v1/meta` shows all policies and costs nothing.',
  header_fields_too_large: 'All headers together may have 16 KiB.',
  internal: 'A fault of ours. It was recorded under `request_id`; try again later.',
  upstream_failed: 'The platform failed or sent something unreadable. Try again in a minute.',
  overloaded: 'Too much at once. Wait for `Retry-After` seconds, then try again.',
  upstream_throttled: 'The platform asked for a pause. Wait for `Retry-After` seconds.',
  unavailable:
    'The service could not answer in time, or its store is away. `reason` tells of its search index: `index_unavailable` while that is away, `index_rebuilding` while it is built anew. Wait for `Retry-After` seconds, then try again.',
  upstream_timeout: 'The platform was too slow. Try again in a minute.',
}

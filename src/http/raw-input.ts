import { containsKey } from '../access/key.ts'
import { AppError } from '../model/errors.ts'

/** Parameters of a URL; a name given more than once has a list. */
type RawInput = Record<string, string | string[]>

/** Longer addresses are refused. */
export const MAX_URL = 8192
const MAX_PARAMETERS = 200
const KEY_NAMES: ReadonlySet<string> = new Set([
  'key',
  'api_key',
  'apikey',
  'x-api-key',
  'access_token',
  'token',
  'authorization',
  'bearer',
])

/** Parses the query string; throws `key_in_url` for keys, which would end up in logs and browser histories. */
export function readQuery(url: string): RawInput {
  // Without a prototype, so that `__proto__` is a name like any other.
  const input = Object.create(null) as RawInput
  const mark = url.indexOf('?')
  if (mark < 0) return input
  const hash = url.indexOf('#', mark)
  const query = url.slice(mark + 1, hash < 0 ? undefined : hash)
  if (query === '') return input
  let count = 0
  for (const [name, value] of new URLSearchParams(query)) {
    if (++count > MAX_PARAMETERS) {
      throw new AppError('invalid_request', `expected at most ${MAX_PARAMETERS} parameters`)
    }
    if (KEY_NAMES.has(name.toLowerCase()) || containsKey(value) || containsKey(name))
      throw keyInUrl()
    const held = input[name]
    if (held === undefined) input[name] = value
    else if (typeof held === 'string') input[name] = [held, value]
    else held.push(value)
  }
  return input
}

function keyInUrl(): AppError {
  return new AppError(
    'key_in_url',
    'send keys as `Authorization: Bearer <key>` or `X-API-Key: <key>`; treat this one as leaked',
  )
}

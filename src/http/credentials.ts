import { AppError } from '../model/errors.ts'

/**
 * The key a request presents, undefined when none. Anything presented that cannot be a key is given on as it is: it
 * will be found invalid, never silently anonymous.
 */
export function presentedKey(headers: { get(name: string): string | null }): string | undefined {
  const authorization = headers.get('authorization')
  const apiKey = headers.get('x-api-key')
  const bearer =
    authorization === null
      ? undefined
      : (/^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? authorization)
  if (apiKey === null) return bearer
  if (bearer !== undefined && bearer !== apiKey.trim()) {
    throw new AppError('invalid_request', '`Authorization` and `X-API-Key` hold different keys')
  }
  return apiKey.trim()
}

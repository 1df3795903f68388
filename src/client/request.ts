import { ApiError } from './api-error.ts'

export interface ClientOptions {
  /** The service's address, with or without `/v1`. */
  readonly url: string
  readonly key?: string | undefined
  readonly fetch?: typeof fetch
  readonly userAgent?: string
}

/** Requests an address below `/v1`; throws an ApiError when the service refuses. */
export async function request(
  { url, key, userAgent, ...options }: ClientOptions,
  address: string,
  { headers, signal }: { readonly headers: Record<string, string>; readonly signal?: AbortSignal },
): Promise<Response> {
  const base = url.replace(/\/+$/, '').replace(/\/v1$/, '')
  const response = await (options.fetch ?? fetch)(`${base}/v1${address}`, {
    headers: {
      ...headers,
      ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
      ...(userAgent === undefined ? {} : { 'User-Agent': userAgent }),
    },
    ...(signal ? { signal } : {}),
  })
  if (response.ok) return response
  const after = response.headers.get('retry-after')
  throw new ApiError(response.status, await problemIn(response), after)
}

/** Empty if something else answers, such as a proxy in between: then only the status is known. */
async function problemIn(response: Response): Promise<Record<string, unknown>> {
  const type = response.headers.get('content-type') ?? ''
  try {
    if (type.startsWith('application/problem+json'))
      return (await response.json()) as Record<string, unknown>
    await response.body?.cancel()
  } catch {
    // It broke off.
  }
  return {}
}

/** Why a service could not be reached, or did not answer as Telegrep. */
export function whyUnreachable(url: string, error: unknown): string {
  if (error instanceof SyntaxError) return `${url} answers, but not as Telegrep does`
  // `fetch failed` alone says nothing; the cause does and, if several addresses were tried, its code.
  const cause = ((error as Error).cause ?? error) as Error & { readonly code?: string }
  if (cause.code === 'ERR_SSL_WRONG_VERSION_NUMBER')
    return `${url} does not answer: nothing speaks https there, perhaps http`
  return `${url} does not answer: ${cause.message || cause.code || String(cause)}`
}

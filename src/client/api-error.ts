import { readRetryAfter } from '../model/retry-after.ts'

/** The service refused the request; holds the fields of its problem document. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly code: string
  /** The whole document. */
  readonly problem: Readonly<Record<string, unknown>>
  /** Seconds, if the service asks to wait. */
  readonly retryAfterS: number | undefined

  constructor(
    status: number,
    problem: Readonly<Record<string, unknown>>,
    retryAfter: string | null,
  ) {
    super(String(problem['detail'] ?? problem['title'] ?? `the service answered ${status}`))
    this.status = status
    this.code = String(problem['code'] ?? 'unknown')
    this.problem = problem
    const waitMs = readRetryAfter(retryAfter ?? '', Date.now())
    this.retryAfterS = waitMs === undefined ? undefined : Math.ceil(waitMs / 1000)
  }
}

import { AppError, ERRORS, type ErrorCode } from '../model/errors.ts'

export const PROBLEM_TYPE = 'application/problem+json'
const QUOTA_EXCEEDED = 'https://iana.org/assignments/http-problem-types#quota-exceeded'

/** RFC 9457. */
interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly instance: string
  readonly code: ErrorCode
  readonly request_id: string
  readonly errors: AppError['errors']
  readonly [extra: string]: unknown
}

export function problemOf(
  error: AppError,
  where: {
    readonly publicUrl: string
    /** Percent-encoded, as in the request's address. */
    readonly path: string
    readonly requestId: string
  },
): Problem {
  const { status, title } = ERRORS[error.code]
  return {
    type: problemType(where.publicUrl, error.code),
    title,
    status,
    detail: error.detail,
    // The cut may split a percent-encoded character.
    instance: where.path.slice(0, 256).replace(/%.?$/, ''),
    code: error.code,
    request_id: where.requestId,
    errors: error.errors,
    ...(error.hint === undefined ? undefined : { hint: error.hint }),
    ...error.extra,
  }
}

/** The address of the page that explains the code. */
function problemType(publicUrl: string, code: ErrorCode): string {
  return code === 'quota_exceeded' ? QUOTA_EXCEEDED : `${publicUrl}/errors/${code}`
}

/** The reply reveals nothing about a bug. */
export function internalError(cause: unknown): AppError {
  return new AppError('internal', 'something went wrong on our side; it was recorded', { cause })
}

import type { AppError } from '../model/errors.ts'
import type { RequestServed } from '../model/request-served.ts'

/** What the server reports to logs and metrics. Never a query, a key or an address. */
export interface HttpEvents {
  requestServed(event: RequestServed): void
  /** A bug or a broken part; the caller got a 500 without details. */
  requestFailed(
    error: unknown,
    event: { readonly requestId: string; readonly operation: string },
  ): void
  /** Something that is needed is down; the caller was told without the place. */
  requestRefused(error: AppError): void
  /** Refused because others wait. */
  requestShed(): void
}

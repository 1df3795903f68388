import type { LiveFailure as Met } from '../crawl/live-pages.ts'
import { AppError } from '../model/errors.ts'
import { removedError } from './find-channel.ts'

export interface LiveFailure {
  readonly error: AppError
  /** True when the platform failed temporarily, so the archive may answer instead; otherwise the error is the answer. */
  readonly isPassing: boolean
}

const PASSING: ReadonlySet<string> = new Set<Met['kind']>(['throttled', 'broken', 'unreachable'])
const DEFAULT_WAIT_MS = 60_000

/** What a live read ran into, as an error for the caller. */
export function liveFailure(met: Met, name: string): LiveFailure {
  return { error: errorFor(met, name), isPassing: PASSING.has(met.kind) }
}

function errorFor(met: Met, name: string): AppError {
  switch (met.kind) {
    case 'removed':
      return removedError(name)
    case 'nobody':
      return new AppError('channel_not_found', `nobody on the platform is called ${name}`)
    case 'unavailable': {
      const detail = met.detail ?? `${name} cannot be read: ${REASONS[met.reason]}`
      return new AppError('channel_unavailable', detail, { extra: { reason: met.reason } })
    }
    case 'throttled':
      return new AppError('upstream_throttled', 'the platform asks us to slow down', {
        retryAfterS: Math.max(1, Math.ceil((met.retryAfterMs ?? DEFAULT_WAIT_MS) / 1000)),
      })
    case 'broken':
      return new AppError('upstream_failed', 'the platform gave an answer that could not be read')
    case 'unreachable':
      return met.what === 'timeout'
        ? new AppError('upstream_timeout', 'the platform did not answer in time')
        : new AppError('upstream_failed', 'the platform could not be reached')
  }
}

const REASONS = {
  preview_disabled: 'its preview is switched off',
  restricted: 'it is restricted',
  is_group: 'it is a group',
  is_user: 'it is a user',
  is_bot: 'it is a bot',
  private: 'it is private',
} as const

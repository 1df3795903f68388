import type { LiveFailure as Met } from '../crawl/live-pages.ts'
import { AppError } from '../model/errors.ts'
import { removedError } from './find-channel.ts'

export interface LiveFailure {
  readonly error: AppError
  /** True when the platform failed temporarily, so the archive may answer instead; otherwise the error is the answer. */
  readonly isPassing: boolean
}

const DEFAULT_WAIT_S = 60

/** What a live read ran into, as an error for the caller. */
export function liveFailure(met: Met, name: string): LiveFailure {
  switch (met.kind) {
    case 'removed':
      return { error: removedError(name), isPassing: false }
    case 'nobody':
      return {
        error: new AppError('channel_not_found', `nobody on the platform is called ${name}`),
        isPassing: false,
      }
    case 'unavailable':
      return {
        error: new AppError(
          'channel_unavailable',
          met.detail ?? `${name} cannot be read: ${REASONS[met.reason]}`,
          {
            extra: { reason: met.reason },
          },
        ),
        isPassing: false,
      }
    case 'throttled':
      return {
        error: new AppError('upstream_throttled', 'the platform asks us to slow down', {
          retryAfterS: Math.max(1, Math.ceil((met.retryAfterMs ?? DEFAULT_WAIT_S * 1000) / 1000)),
        }),
        isPassing: true,
      }
    case 'broken':
      return {
        error: new AppError(
          'upstream_failed',
          'the platform gave an answer that could not be read',
        ),
        isPassing: true,
      }
    case 'unreachable':
      return {
        error:
          met.what === 'timeout'
            ? new AppError('upstream_timeout', 'the platform did not answer in time')
            : new AppError('upstream_failed', 'the platform could not be reached'),
        isPassing: true,
      }
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

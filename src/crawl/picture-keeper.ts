/**
 * Fetches wanted pictures, one at a time and no faster than channels are read, and erases files that no picture uses any more.
 * One process does it for all: a file that one process writes must not be erased by another at the same moment.
 */
import { picturesOf } from '../model/picture.ts'
import { pause, type Clock } from '../model/clock.ts'
import { MINUTE_MS } from '../model/time.ts'
import type { PictureFiles } from '../store/picture-files.ts'
import { PICTURE_KEEPER, type Missed, type WantedPicture } from '../store/pictures.ts'
import type { RoleLease } from '../store/roles.ts'
import type { Store } from '../store/store.ts'
import type { PictureOutcome, PictureSource } from '../telegram/picture-source.ts'
import { createPictureBounds, type PictureLimits } from './picture-bounds.ts'
import { eraseUnused, sweepPart } from './sweep-pictures.ts'

interface PictureKeeperOptions {
  readonly store: Store
  readonly files: PictureFiles
  /** Null when nothing is fetched and only files are erased. */
  readonly source: PictureSource | null
  readonly limits: PictureLimits
  readonly ratePerS: number
  readonly clock: Clock
  /** Then nothing is fetched, and no file counts as left over for its age. */
  readonly isClockWrong: () => boolean
  readonly owner: string
  readonly events: PictureEvents
}

export interface PictureEvents {
  pictureAsked(event: { readonly outcome: PictureOutcome['kind']; readonly bytes: number }): void
  /** Nothing is fetched for the time being; null when fetching resumes. */
  picturesHeld(why: 'full' | 'day' | 'platform' | null): void
  workerFailed(error: unknown, worker: string): void
}

/** Longer than a round and the timeout of one picture. */
const LEASE_MS = 60_000
const ROUND_MS = 20_000
const IDLE_MS = 2_000
const BATCH = 50
const SWEEP_EVERY_MS = 10_000
const RETRIES = 4
/** This many failures in a row are not the pictures' fault. */
const IN_A_ROW = 5
const LONGEST_PAUSE_MS = 30 * MINUTE_MS
/** Longer than a pause, so that another picture is tried first after it. */
const PUT_OFF_MS = 2 * LONGEST_PAUSE_MS

interface PictureKeeper {
  /** Runs until aborted. */
  run(signal: AbortSignal): Promise<void>
  /** One round; resolves to how many pictures were requested, or undefined when another process holds the role. */
  round(signal: AbortSignal): Promise<number | undefined>
}

export function createPictureKeeper(options: PictureKeeperOptions): PictureKeeper {
  const { store, files, source, clock, owner, events } = options
  const bounds = createPictureBounds(store, options.limits, clock)
  const pace = createPace(clock, options.ratePerS)
  /** The pictures that failed since the last one that did not. */
  const failed = new Set<string>()
  let pausedSince = -Infinity
  let pauseMs = 0
  let held: Parameters<PictureEvents['picturesHeld']>[0] = null
  let part = 0
  let sweptSince = -Infinity

  function tell(why: typeof held): void {
    if (why !== held) events.picturesHeld(why)
    held = why
  }

  function rest(ms: number): void {
    pausedSince = clock.elapsed()
    pauseMs = ms
  }

  async function whyNot(): Promise<typeof held> {
    const { pausedUntil } = await store.budget.state(options.ratePerS)
    const isPaused = clock.elapsed() - pausedSince < pauseMs
    if (isPaused || (pausedUntil !== null && pausedUntil > clock.now())) return 'platform'
    return bounds.reached()
  }

  async function fetchSome(from: PictureSource, signal: AbortSignal): Promise<number> {
    const since = clock.elapsed()
    await bounds.refresh()
    const why = await whyNot()
    tell(why)
    if (why !== null) return 0
    const due = await store.pictures.due(clock.now(), BATCH)
    const addresses = await addressesOf(store, due)
    let asked = 0
    for (const [i, picture] of due.entries()) {
      if (clock.elapsed() - since > ROUND_MS || (await whyNot()) !== null) break
      const url = addresses[i]
      if (url === undefined) {
        await store.pictures.miss(picture, { kind: 'failed', retryAt: null })
        continue
      }
      await pace(signal)
      const outcome = await from.picture(url, signal)
      asked++
      await bounds.spend(outcome.read)
      await settle(picture, outcome)
      events.pictureAsked({ outcome: outcome.kind, bytes: outcome.read })
    }
    return asked
  }

  async function settle(picture: WantedPicture, outcome: PictureOutcome): Promise<void> {
    if (outcome.kind !== 'failed') failed.clear()
    else failed.add(`${picture.channelId}/${picture.number}/${picture.slot}`)
    const isOutage = failed.size >= IN_A_ROW
    if (isOutage) rest(Math.min(MINUTE_MS * 2 ** (failed.size - IN_A_ROW), LONGEST_PAUSE_MS))
    if (outcome.kind === 'throttled') rest(Math.max(MINUTE_MS, outcome.retryAfterMs ?? 0))
    if (outcome.kind !== 'picture') {
      const isToBlame = outcome.kind !== 'throttled' && !isOutage
      const missed = isToBlame
        ? missedBy(outcome, picture.tries, clock.now())
        : ({ kind: 'put_off', retryAt: clock.now() + PUT_OFF_MS } as const)
      await store.pictures.miss(picture, missed)
      return
    }
    const { type, bytes, width, height } = outcome
    const sha256 = await files.write(bytes)
    const file = { sha256, type, bytes: bytes.length, width, height }
    if (await store.pictures.keep(picture, file, clock.now())) bounds.add(file.bytes)
  }

  async function round(signal: AbortSignal): Promise<number | undefined> {
    const lease: RoleLease | undefined = await store.roles.acquire(PICTURE_KEEPER, owner, LEASE_MS)
    if (!lease) return undefined
    try {
      await eraseUnused(store.pictures, files, clock)
      if (options.isClockWrong()) return 0
      if (clock.elapsed() - sweptSince >= SWEEP_EVERY_MS) {
        await sweepPart(store.pictures, files, { part, now: clock.now() })
        sweptSince = clock.elapsed()
        part = (part + 1) % 256
      }
      return source === null ? 0 : await fetchSome(source, signal)
    } finally {
      // A process that only erases must not keep the role from one that fetches.
      if (source === null || signal.aborted) await store.roles.release(lease).catch(() => {})
    }
  }

  return {
    round,
    async run(signal) {
      while (!signal.aborted) {
        let asked: number | undefined = 0
        try {
          asked = await round(signal)
        } catch (error) {
          if (signal.aborted) break
          events.workerFailed(error, 'pictures')
        }
        if (asked === undefined || asked === 0) await pause(clock, IDLE_MS, signal)
      }
    },
  }
}

/** The current address of each picture; undefined when its post no longer has it. */
async function addressesOf(
  { archive }: Store,
  pictures: readonly WantedPicture[],
): Promise<(string | undefined)[]> {
  const [posts, channels] = await Promise.all([
    archive.posts(pictures.map(({ channelId, number }) => ({ channelId, number }))),
    archive.channelsById(pictures.filter(({ number }) => number === 0).map((p) => p.channelId)),
  ])
  return pictures.map(({ channelId, number, slot, name }, i) => {
    if (number === 0) return channels.find(({ id }) => id === channelId)?.avatarUrl ?? undefined
    const post = posts[i]
    const found = post && picturesOf(post).find((picture) => picture.slot === slot)
    return found?.name === name ? found.url : undefined
  })
}

function missedBy(
  { kind }: Exclude<PictureOutcome, { kind: 'picture' }>,
  tries: number,
  now: number,
): Missed {
  if (kind === 'refused') return { kind: 'refused' }
  const isOver = kind === 'gone' || tries >= RETRIES
  return { kind: 'failed', retryAt: isOver ? null : now + MINUTE_MS * 4 ** tries }
}

/** Limits the rate; the first request after a start has to wait, too. */
function createPace(clock: Clock, ratePerS: number): (signal: AbortSignal) => Promise<void> {
  let lastSince = clock.elapsed()
  return async (signal) => {
    const waitMs = lastSince + 1000 / ratePerS - clock.elapsed()
    if (waitMs > 0) await clock.sleep(waitMs, signal)
    lastSince = clock.elapsed()
  }
}

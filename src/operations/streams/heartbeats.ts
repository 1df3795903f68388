import type { Clock } from '../../model/clock.ts'
import { spareTurn } from '../../model/turns.ts'
import { frame, heartbeat } from './frames.ts'
import { everySecond } from './every-second.ts'

/** Messages to streams besides their events. */
interface HeartbeatOptions<S> {
  readonly streams: ReadonlySet<S>
  readonly clock: Clock
  lagS(): Promise<number>
  /** Why nothing can be read at the moment; null while reading works. */
  trouble(): string | null
  placeOf(stream: S): string
  /** Writes to a stream. One whose reader does not keep up stops being live. */
  tell(stream: S, text: string): void
  onFailure(error: unknown): void
}

const BEAT_MS = 15_000
/** When the index is behind by more than this, readers are told why nothing arrives. */
const LAG_S = 60

interface HeartbeatStream {
  readonly sink: { readonly isFull: boolean }
  readonly wroteSince: number
  /** The reader was told that nothing can be read, and not yet that this is over. */
  isInTrouble: boolean
}

/**
 * Sends heartbeats to streams whose readers take what is written, and tells them when the store fails or recovers and when
 * the index falls behind or catches up. Those that read a long log for something to tell need them as well: a connection on
 * which nothing comes for long is cut, by proxies if not by us.
 */
export function startHeartbeats<S extends HeartbeatStream>(
  options: HeartbeatOptions<S>,
): Disposable {
  const { streams, clock } = options
  let lagS = 0

  async function toAll(textFor: (stream: S) => string | undefined): Promise<void> {
    for (const stream of streams) {
      await spareTurn()
      const text = stream.sink.isFull ? undefined : textFor(stream)
      if (text !== undefined) options.tell(stream, text)
    }
  }

  async function tellLag(): Promise<void> {
    const before = lagS
    lagS = await options.lagS().catch(() => before)
    if (lagS > LAG_S === before > LAG_S) return
    const text = frame('lag', { reason: 'index', index_lag_s: lagS })
    await toAll(() => text)
  }

  /** Decided per stream: one whose reader did not keep up is told later than others. */
  function troubleOf(stream: S): string | undefined {
    const trouble = options.trouble()
    const away = trouble !== null
    if (stream.isInTrouble === away) return undefined
    stream.isInTrouble = away
    const detail = away ? `${trouble}; what is new is told later` : 'the store can be read again'
    return frame('lag', { reason: 'store', away, detail })
  }

  async function beat(): Promise<void> {
    if (streams.size === 0) return
    try {
      await tellLag()
      await toAll((stream) => {
        const isQuiet = clock.elapsed() - stream.wroteSince >= BEAT_MS
        return troubleOf(stream) ?? (isQuiet ? heartbeat(options.placeOf(stream)) : undefined)
      })
    } catch (error) {
      options.onFailure(error)
    }
  }

  return everySecond(beat)
}

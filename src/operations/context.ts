import type { Access } from '../access/access.ts'
import type { LiveReader } from '../crawl/live.ts'
import type { Evidence } from '../evidence/evidence.ts'
import type { Clock } from '../model/clock.ts'
import type { ClockCheck } from '../model/clock-check.ts'
import type { CursorCodec } from '../model/cursor.ts'
import type { SearchIndex } from '../search/search-index.ts'
import type { PictureFiles } from '../store/picture-files.ts'
import type { Store } from '../store/store.ts'
import { createChannelCards, type ChannelCards } from './channel-cards.ts'
import type { MediaMode } from '../model/picture.ts'
import { createDeadlines, type Deadlines } from './deadlines.ts'
import { createPictures, type Pictures } from './pictures.ts'
import { createStreams, type StreamEvents, type Streams } from './streams/streams.ts'
import { createOverview, type Overview } from './overview.ts'

/** Everything operations work with; created once by the composition root. */
export interface Context {
  readonly store: Store
  readonly index: SearchIndex
  readonly live: LiveReader
  readonly access: Access
  readonly clock: Clock
  readonly clockCheck: Pick<ClockCheck, 'problem'>
  readonly cursors: CursorCodec
  readonly evidence: Evidence
  readonly cards: ChannelCards
  readonly deadlines: Deadlines
  readonly overview: Overview
  readonly pictures: Pictures
  readonly streams: Streams
  readonly pictureFiles: PictureFiles
  readonly settings: Settings
}

/** Adds what operations keep for themselves to what the composition root provides. */
export function createContext(
  parts: Omit<Context, 'cards' | 'deadlines' | 'overview' | 'pictures' | 'streams'>,
  events: StreamEvents = { streamsFailed() {}, eventLost() {} },
): Context {
  const pictures = createPictures(parts.settings.media, {
    rows: parts.store.pictures,
    files: parts.pictureFiles,
    publicUrl: parts.settings.publicUrl,
  })
  const made = {
    ...parts,
    pictures,
    cards: createChannelCards(parts.store.archive, pictures, parts.clock),
    deadlines: createDeadlines(parts.clock),
    overview: createOverview(parts),
  }
  return { ...made, streams: createStreams(made, events) }
}

/** The part of the configuration that callers are told. */
export interface Settings {
  /** Base of absolute links, without a trailing slash. */
  readonly publicUrl: string
  /** Only this machine is answered, and no page of another site. */
  readonly isPersonal: boolean
  readonly version: string
  readonly contact: string | null
  readonly removalUrl: string | null
  /** Requests without a key are refused. */
  readonly needsKey: boolean
  /** The configured request rate towards the platform. */
  readonly crawlRatePerS: number
  readonly media: MediaMode
  /** Whether a timestamp authority stamps evidence packages. */
  readonly stamps: boolean
}

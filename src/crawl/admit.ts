/** Probes the best candidates, with one request each, and indexes those that are worth it. */
import type { Clock } from '../model/clock.ts'
import { DAY_MS } from '../model/time.ts'
import { ALL_CHANNELS, SHOWN_POSTS } from '../store/archive.ts'
import type { Store } from '../store/store.ts'
import type { ChannelPage, NoPage, PageOutcome, Source } from '../telegram/source.ts'
import { foldWord, lowerWord } from '../text/fold.ts'
import { judgeCandidate, textKey } from './discover.ts'
import { asksToBeLeftOut } from './opt-out.ts'

const PROBES = 5
/** How many channels have to name a candidate. */
const MIN_SOURCES = 2
const ASK_AGAIN_MS = 30 * DAY_MS
/** Outcomes that leave a candidate unjudged. It is put off: the next ones must not wait behind one that is never readable. */
const UNREAD: ReadonlySet<string> = new Set<NoPage['kind']>(['empty', 'broken', 'unreachable'])
const LOOKALIKES = 3
const COMPARED_POSTS = 60

interface AdmitOptions {
  readonly store: Store
  readonly source: Source
  readonly clock: Clock
  readonly mayUseReserve: () => Promise<boolean>
  readonly onDecided: (event: { readonly name: string; readonly verdict: string }) => void
}

export async function admitCandidates(options: AdmitOptions, signal: AbortSignal): Promise<void> {
  const { store, source, clock } = options
  const { frontier } = store
  const now = clock.now()
  const candidates = await frontier.candidates({ limit: PROBES, minSources: MIN_SOURCES, now })
  for (const name of candidates) {
    if (!(await options.mayUseReserve())) return
    const outcome = await source.page(name, null, { purpose: 'discovery', signal })
    if (isOfPlatform(outcome)) return
    const verdict = outcome.kind === 'page' ? await judge(store, outcome.page) : outcome.kind
    if (verdict === 'admitted') await store.archive.addChannel(name, { at: now, status: 'queued' })
    await frontier.decideCandidate(name, now + (UNREAD.has(verdict) ? DAY_MS : ASK_AGAIN_MS))
    options.onDecided({ name, verdict })
  }
}

/** The platform refuses us or does not answer: that says nothing about the candidate, which keeps its place. */
function isOfPlatform(outcome: PageOutcome): boolean {
  if (outcome.kind === 'throttled') return true
  return outcome.kind === 'unreachable' && ['timeout', 'network'].includes(outcome.what)
}

async function judge(store: Store, page: ChannelPage): Promise<string> {
  const { username, platformId } = page.profile
  if (asksToBeLeftOut(page.profile)) return 'opted_out'
  if (await store.removals.find({ name: username, platformId })) return 'removed'
  return judgeCandidate(page, await lookalikeTexts(store, page))
}

/** Texts of the archived channels with the most similar titles: a clone copies the title along with the posts. */
async function lookalikeTexts(store: Store, page: ChannelPage): Promise<ReadonlySet<string>> {
  const runs = page.profile.title.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const words = runs.slice(0, 4).map((run) => foldWord(lowerWord(run)))
  const texts = new Set<string>()
  if (words.length === 0) return texts
  const found = await store.archive.channels({
    ...ALL_CHANNELS,
    words,
    sort: 'relevance',
    limit: LOOKALIKES,
  })
  for (const { id } of found.items) {
    const query = { ...SHOWN_POSTS, channelId: id, limit: COMPARED_POSTS }
    const { items } = await store.archive.listPosts(query)
    for (const post of items) {
      const key = textKey(post)
      if (key !== undefined) texts.add(key)
    }
  }
  return texts
}

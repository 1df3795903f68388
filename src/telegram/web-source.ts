import { isChannelName } from '../model/channel-name.ts'
import type { Clock } from '../model/clock.ts'
import {
  classifyEmbed,
  classifyPage,
  classifyProfile,
  classifyWords,
  type Ownership,
} from './classify.ts'
import { createHttpClient, type Answer, type HttpClientOptions } from './http-client.ts'
import type {
  NoPage,
  PageOutcome,
  PostOutcome,
  Purpose,
  ReadOptions,
  Source,
  WordsOutcome,
} from './source.ts'

/**
 * Reads the platform's public web pages. Addresses are built from the configured origin, a validated username and
 * integers, so nothing that a caller or a page says can lead to another host or path.
 */

export interface WebSourceOptions extends Omit<HttpClientOptions, 'now'> {
  readonly clock: Clock
  /** Resolves when one more request may be sent; called for every attempt. */
  readonly permit: (purpose: Purpose, signal?: AbortSignal) => Promise<void>
  /** Called when the platform asks to slow down. */
  readonly onThrottle?: (throttle: {
    readonly sign: 'status' | 'generic'
    readonly retryAfterMs: number | null
  }) => Promise<void>
  /** Called with the outcome of each page that was requested. */
  readonly onPage?: (outcome: PageOutcome) => void
  /** Names of channels that were read before and so exist, other than `except`; they are read before "nobody" is believed. */
  readonly canaries?: (except: string) => Promise<readonly string[]>
}

const RETRIES = 2
const RETRY_BASE_MS = 500
const RETRY_CAP_MS = 20_000
/** After this long, an answer from before says nothing about now: a request may have to wait for the end of a pause. */
const STALE_MS = 10_000

export function createWebSource(options: WebSourceOptions): Source {
  const { clock } = options
  const http = createHttpClient({ ...options, now: () => clock.now() })

  /** One answer, with retries for failures that pass by themselves. */
  async function get(path: string, { purpose, signal }: ReadOptions): Promise<Answer> {
    await http.ready()
    for (let attempt = 0; ; attempt++) {
      await options.permit(purpose, signal)
      const answer = await http.get(path, signal)
      if (attempt >= RETRIES || !isPassing(answer)) return answer
      const ceiling = Math.min(RETRY_CAP_MS, RETRY_BASE_MS * 2 ** attempt)
      await clock.sleep(Math.random() * ceiling, signal)
    }
  }

  async function throttled<T extends NoPage>(outcome: T): Promise<T> {
    if (outcome.kind === 'throttled') await options.onThrottle?.(outcome)
    return outcome
  }

  /** Reads on the profile page who owns the name, and verifies an answer that nobody does. */
  async function owner(username: string, read: ReadOptions): Promise<NoPage> {
    const answer = await get(`/${username}`, read)
    return judge(username, ownershipOf(answer, clock.now()), read)
  }

  async function judge(
    username: string,
    found: Ownership | NoPage,
    read: ReadOptions,
  ): Promise<NoPage> {
    switch (found.kind) {
      case 'nobody':
        return nobody(username, read)
      case 'preview':
        // The profile page says that the posts can be read, yet they were not shown: one of the two answers was wrong.
        return { kind: 'unreachable', what: 'status', detail: 'redirected although readable' }
      case 'unavailable':
        return found.reason === 'preview_disabled' || found.reason === 'restricted'
          ? withReason(username, found, read)
          : found
      default:
        return throttled(found)
    }
  }

  /**
   * A banned IP address gets the page of a free name for every name. So channels that are known to exist are read: if they
   * appear to belong to nobody too, the platform is refusing us. If it stopped refusing meanwhile, the name is read again.
   */
  async function nobody(username: string, read: ReadOptions): Promise<NoPage> {
    const since = clock.elapsed()
    const canaries = (await options.canaries?.(username)) ?? []
    for (const canary of canaries.slice(0, 2)) {
      if (!isChannelName(canary)) continue
      const found = ownershipOf(await get(`/${canary}`, read), clock.now())
      if (found.kind === 'throttled') return throttled(found)
      if (found.kind === 'broken' || found.kind === 'unreachable') return found
      if (found.kind === 'nobody') continue
      if (clock.elapsed() - since <= STALE_MS) return { kind: 'nobody' }
      const again = ownershipOf(await get(`/${username}`, read), clock.now())
      return again.kind === 'nobody' ? again : judge(username, again, read)
    }
    if (canaries.length === 0) return { kind: 'nobody' }
    return throttled({ kind: 'throttled', sign: 'generic', retryAfterMs: null })
  }

  /** The embed of the first post names the reason for a block, if there is one. */
  async function withReason(
    username: string,
    found: NoPage & { kind: 'unavailable' },
    read: ReadOptions,
  ): Promise<NoPage> {
    const answer = await get(`/${username}/1?embed=1&mode=tme`, read)
    if (answer.kind !== 'text') return found
    const embed = classifyEmbed(answer.text, { username, number: 1, at: clock.now() })
    return embed.kind === 'unavailable'
      ? { ...found, reason: 'restricted', detail: embed.detail }
      : found
  }

  async function readPage(
    username: string,
    before: number | null,
    read: ReadOptions,
  ): Promise<PageOutcome> {
    if (!isChannelName(username)) return { kind: 'nobody' }
    // There is nothing before the first post, and the platform answers an invalid number with its newest page.
    if (before !== null && !(Number.isSafeInteger(before) && before > 1)) {
      return { kind: 'empty', profile: null }
    }
    const answer = await get(`/s/${username}${before === null ? '' : `?before=${before}`}`, read)
    if (answer.kind === 'redirect') return owner(username, read)
    if (answer.kind !== 'text') return throttled(noPageOf(answer))
    const found = classifyPage(answer.text, clock.now())
    // A slice keeps the whole string alive: without this copy a page in a cache would hold on to its HTML.
    if (found.kind === 'page') return structuredClone(found)
    if (found.kind !== 'landing') return found
    // A free name redirects. The page of a free name instead of the preview is what a banned IP address gets.
    return found.ownership.kind === 'nobody'
      ? owner(username, read)
      : judge(username, found.ownership, read)
  }

  return {
    async page(username, before, read) {
      const outcome = await readPage(username, before, read)
      options.onPage?.(outcome)
      return outcome
    },

    async post(username, number, read): Promise<PostOutcome> {
      if (!isChannelName(username) || !(Number.isSafeInteger(number) && number > 0)) {
        return { kind: 'nobody' }
      }
      const answer = await get(`/${username}/${number}?embed=1`, read)
      if (answer.kind === 'redirect') return owner(username, read)
      if (answer.kind !== 'text') return throttled(noPageOf(answer))
      const found = classifyEmbed(answer.text, { username, number, at: clock.now() })
      return found.kind === 'nobody' ? nobody(username, read) : found
    },

    async words(username, number, read): Promise<WordsOutcome> {
      if (!isChannelName(username) || !(Number.isSafeInteger(number) && number > 0)) {
        return { kind: 'nobody' }
      }
      const answer = await get(`/${username}/${number}`, read)
      if (answer.kind === 'redirect') return { kind: 'words', text: '' }
      if (answer.kind !== 'text') return throttled(noPageOf(answer))
      return structuredClone(classifyWords(answer.text, { username, number }))
    },

    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  }
}

function isPassing(answer: Answer): boolean {
  if (answer.kind === 'failed') return answer.what === 'network' || answer.what === 'timeout'
  return answer.kind === 'refused' && answer.status >= 500 && answer.retryAfterMs === null
}

function ownershipOf(answer: Answer, at: number): Ownership | NoPage {
  if (answer.kind === 'text') return classifyProfile(answer.text, at)
  if (answer.kind !== 'redirect') return noPageOf(answer)
  // The platform redirects a name that it rejects to its home page; any other redirect says nothing about the name.
  return /^(?:https?:)?\/\/(?:www\.)?telegram\.org(?:[/?#]|$)/i.test(answer.location)
    ? { kind: 'nobody' }
    : { kind: 'unreachable', what: 'status', detail: `status ${answer.status}, redirected` }
}

function noPageOf(answer: Exclude<Answer, { kind: 'text' | 'redirect' }>): NoPage {
  if (answer.kind === 'failed') {
    if (answer.what === 'truncated') return { kind: 'broken', what: 'truncated' }
    return answer.what === 'wrong_charset'
      ? { kind: 'broken', what: 'layout_unknown' }
      : { kind: 'unreachable', what: answer.what, detail: answer.detail }
  }
  const isAskedToWait = answer.status === 503 && answer.retryAfterMs !== null
  return answer.status === 429 || isAskedToWait
    ? { kind: 'throttled', sign: 'status', retryAfterMs: answer.retryAfterMs }
    : { kind: 'unreachable', what: 'status', detail: `status ${answer.status}` }
}

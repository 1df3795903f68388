import { randomOf } from '../../src/simulator/random.ts'
import { COMMON, revisionOf, wordOf } from './newsroom.ts'
import type { ProgramProcess } from './program-process.ts'

/** Queries the API processes all the time and checks each reply against earlier ones. */
export interface Asker {
  /** Replies that must not occur, described in sentences; should stay empty. */
  readonly broken: string[]
  /** Counts of the replies since the last call. */
  take(): Tally
  stop(): Promise<void>
}

export interface Tally {
  readonly whole: number
  /** Replies that say that they are incomplete, by reason. */
  readonly partial: Readonly<Record<string, number>>
  /** Refusals with `Retry-After`, by reason. */
  readonly refused: Readonly<Record<string, number>>
  readonly slowestMs: number
}

interface Item {
  readonly id: string
  readonly text?: string
}

interface Body {
  readonly data?: readonly Item[]
  readonly meta?: {
    readonly coverage?: { readonly complete: boolean; readonly reason: string | null }
  }
  readonly code?: string
  readonly reason?: string
}

/** Longer than all deadlines of the program together; nobody may wait this long. */
const HANG_MS = 30_000
const PAUSE_MS = 100

export function startAsker(of: {
  readonly apis: readonly ProgramProcess[]
  readonly names: readonly string[]
  /** Whether a post is still on the platform. */
  readonly isThere: (id: string) => boolean
}): Asker {
  const random = randomOf(7, 7)
  const broken: string[] = []
  /**
   * `archived`: posts that the archive has shown, each with its latest revision shown. `found`: posts that a search has
   * found, each with its word.
   */
  const archived = new Map<string, number>()
  const found = new Map<string, string>()
  let tally = emptyTally()
  let isOver = false

  const anyOf = <K, V>(map: ReadonlyMap<K, V>) => [...map][random.int(map.size)]

  function learn({ id, text }: Item, who: string): void {
    if (text === undefined) return
    const revision = revisionOf(text)
    const known = archived.get(id) ?? -1
    if (revision < known) broken.push(`${who}: ${id} was at change ${known} and is at ${revision}`)
    archived.set(id, Math.max(known, revision))
  }

  async function listArchive(api: ProgramProcess): Promise<void> {
    const name = random.pick(of.names)
    const known = new Set([...archived.keys()].filter((id) => id.startsWith(`${name}/`)))
    const body = await ask(api, `/v1/channels/${name}/posts?limit=100&detail=full`)
    if (!body) return
    const items = body.data ?? []
    noneTwice(items, api.name)
    for (const item of items) learn(item, api.name)
    const shown = new Set(items.map(({ id }) => id))
    const lowest = Math.min(...items.map(({ id }) => numberOf(id)))
    for (const id of known) {
      const isMissing = !shown.has(id) && (items.length < 100 || numberOf(id) > lowest)
      if (isMissing && of.isThere(id)) broken.push(`${api.name}: the archive has lost ${id}`)
    }
  }

  async function getPost(api: ProgramProcess): Promise<void> {
    const [id] = anyOf(archived) ?? []
    if (id === undefined) return
    const [name, number] = id.split('/')
    const body = await ask(api, `/v1/channels/${name}/posts/${number}`)
    if (body) learn(body.data as unknown as Item, api.name)
  }

  async function searchNewest(api: ProgramProcess): Promise<void> {
    const body = await ask(api, `/v1/search?q=${COMMON}&sort=newest&limit=100&detail=full`)
    if (!body) return
    noneTwice(body.data ?? [], api.name)
    for (const { id, text = '' } of body.data ?? []) found.set(id, wordOf(text))
  }

  async function searchKnown(api: ProgramProcess): Promise<void> {
    const [id, word] = anyOf(found) ?? []
    if (id === undefined) return
    const body = await ask(api, `/v1/search?q=%22${word}%22&strict=true&match=exact`)
    if (!body) return
    const ids = (body.data ?? []).map((item) => item.id)
    const isWhole = body.meta?.coverage?.complete !== false
    if (ids.some((each) => each !== id)) broken.push(`${api.name}: ${word} finds ${ids.join(' ')}`)
    if (ids.length > 1) broken.push(`${api.name}: ${id} is found ${ids.length} times`)
    if (ids.length === 0 && isWhole && of.isThere(id))
      broken.push(`${api.name}: an answer that says it is complete lacks ${id}`)
  }

  async function askHealth(api: ProgramProcess): Promise<void> {
    await ask(api, '/healthz', [200])
    await ask(api, '/readyz')
  }

  function noneTwice(items: readonly Item[], who: string): void {
    if (new Set(items.map(({ id }) => id)).size < items.length) broken.push(`${who}: a post twice`)
  }

  /** Undefined when there was no reply to check; a reply that must not occur is reported. */
  async function ask(
    api: ProgramProcess,
    path: string,
    allowed = [200, 503],
  ): Promise<Body | undefined> {
    const { address, life } = api
    if (address === undefined) return undefined
    const since = performance.now()
    try {
      const reply = await fetch(address + path, { signal: AbortSignal.timeout(HANG_MS) })
      const body = path.startsWith('/v1')
        ? ((await reply.json()) as Body)
        : (void (await reply.text()), {})
      if (!allowed.includes(reply.status)) {
        // A post that was deleted on the platform meanwhile is correctly reported as gone.
        if (reply.status === 404 || reply.status === 410) return undefined
        broken.push(
          `${api.name}: ${path} answers ${reply.status} ${JSON.stringify(body).slice(0, 300)}`,
        )
        return undefined
      }
      count(reply, body, path, performance.now() - since)
      return reply.status === 200 ? body : undefined
    } catch (error) {
      // A process that is killed or stopped gives no reply.
      const isOurs = api.life !== life || api.isStopped
      if (!isOurs)
        broken.push(
          `${api.name}: ${path} ${String(error)} after ${Math.round(performance.now() - since)} ms`,
        )
      return undefined
    }
  }

  function count(reply: Response, body: Body, path: string, tookMs: number): void {
    tally.slowestMs = Math.max(tally.slowestMs, Math.round(tookMs))
    if (path === '/readyz' && reply.status === 503) {
      tally.refused['not ready'] = (tally.refused['not ready'] ?? 0) + 1
    } else if (reply.status === 503) {
      if (!reply.headers.has('retry-after')) broken.push(`${path}: 503 without Retry-After`)
      const reason = body.reason ?? body.code ?? 'unknown'
      tally.refused[reason] = (tally.refused[reason] ?? 0) + 1
    } else if (body.meta?.coverage?.complete === false) {
      const reason = body.meta.coverage.reason ?? ''
      if (reason === '') broken.push(`${path}: partial without a reason`)
      tally.partial[reason] = (tally.partial[reason] ?? 0) + 1
    } else tally.whole++
  }

  const steps = [searchNewest, searchKnown, listArchive, searchKnown, getPost, askHealth]
  const loops = of.apis.map(async (api) => {
    for (let turn = 0; !isOver; turn++) {
      await steps[turn % steps.length]!(api)
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  })

  return {
    broken,
    take() {
      const taken = tally
      tally = emptyTally()
      return taken
    },
    async stop() {
      isOver = true
      await Promise.all(loops)
    },
  }
}

function emptyTally() {
  return {
    whole: 0,
    partial: {} as Record<string, number>,
    refused: {} as Record<string, number>,
    slowestMs: 0,
  }
}

function numberOf(id: string): number {
  return Number(id.split('/')[1])
}

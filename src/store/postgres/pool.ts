import { failure, type Link } from './link.ts'
import { isFull } from './trouble.ts'

/** A pool of links, each used by one at a time. Lost links are replaced when one is needed. */
export interface Pool {
  /**
   * Rejects when no link is free within `waitMs`. Work that takes longer than `limitMs` is aborted by cutting its link. Null
   * means no limit. If the server has no room for another link, the work is done on one of those that there are.
   */
  use<T>(limits: PoolLimits, work: (link: Link) => Promise<T>): Promise<T>
  close(): Promise<void>
  /** Aborts everything under way, and hands out no more links. */
  cut(): void
}

interface PoolLimits {
  readonly waitMs: number | null
  readonly limitMs: number | null
}

const IDLE_MS = 60_000
/** How long no further link is opened after the server had no room for one. */
const FULL_MS = 1_000

export function createPool(open: () => Link, max: number): Pool {
  const links = new Set<Link>()
  /** A stack: the link used last is used next, so that links that are not needed stay idle and are closed. */
  const idle: { readonly link: Link; readonly since: number }[] = []
  const waiting: Waiter[] = []
  let isClosed = false
  let fullSince = -Infinity

  const openNew = () => {
    const link = open()
    links.add(link)
    return link
  }
  const drop = (link: Link) => {
    links.delete(link)
    link.cut()
  }
  const take = (): Link | undefined => {
    for (let last = idle.pop(); last; last = idle.pop()) {
      if (!last.link.isLost()) return last.link
      drop(last.link)
    }
    const isFull = links.size > 0 && performance.now() - fullSince < FULL_MS
    return links.size < max && !isFull ? openNew() : undefined
  }
  /** The server had no room for this link. Throws if there is no other to wait for. */
  const doWithout = (link: Link, error: Error) => {
    drop(link)
    fullSince = performance.now()
    if (links.size > 0) return
    for (const { reject } of waiting.splice(0)) reject(error)
    throw error
  }
  const give = (link: Link) => {
    if (link.isLost() || isClosed) drop(link)
    const next = waiting.shift()
    if (next) next.resolve(links.has(link) ? link : openNew())
    else if (links.has(link)) {
      idle.push({ link, since: performance.now() })
      if (performance.now() - idle[0]!.since > IDLE_MS) drop(idle.shift()!.link)
    }
  }
  const acquire = async (waitMs: number | null): Promise<Link> => {
    if (isClosed) throw failure('CONNECTION_ENDED')
    return take() ?? (await inLine(waitMs))
  }
  const inLine = async (waitMs: number | null): Promise<Link> => {
    const waiter = Promise.withResolvers<Link>()
    waiting.push(waiter)
    const leave = () => {
      waiting.splice(waiting.indexOf(waiter), 1)
      waiter.reject(failure('ALL_IN_USE'))
    }
    const timer = waitMs === null ? undefined : setTimeout(leave, waitMs)
    try {
      return await waiter.promise
    } finally {
      clearTimeout(timer)
    }
  }

  const refuse = () => {
    isClosed = true
    for (const { reject } of waiting.splice(0)) reject(failure('CONNECTION_ENDED'))
  }

  return {
    async use({ waitMs, limitMs }, work) {
      const since = performance.now()
      for (;;) {
        const link = await acquire(waitMs && waitMs - (performance.now() - since))
        try {
          return limitMs === null ? await work(link) : await within(link, limitMs, work)
        } catch (error) {
          if (!isFull(error)) throw error
          doWithout(link, error)
        } finally {
          if (links.has(link)) give(link)
        }
      }
    },
    async close() {
      refuse()
      await Promise.all([...links].map((link) => link.close()))
    },
    cut() {
      refuse()
      for (const link of links) drop(link)
    },
  }
}

type Waiter = PromiseWithResolvers<Link>

/** The server aborts slow statements itself; this limit is for a server that cannot be reached any more. */
async function within<T>(
  link: Link,
  limitMs: number,
  work: (link: Link) => Promise<T>,
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(failure('NO_ANSWER'))
    link.cut()
  }, limitMs)
  try {
    return await Promise.race([work(link), promise])
  } finally {
    clearTimeout(timer)
  }
}

import { failure, type Link } from './link.ts'

/** Links that are used by one at a time. Those that are lost are replaced when somebody needs one. */
export interface Pool {
  /**
   * Whoever gets no link within `waitMs` is told that all are in use. The work is ended after `limitMs` by cutting its link. Null: it waits
   * or takes what time it needs.
   */
  use<T>(limits: PoolLimits, work: (link: Link) => Promise<T>): Promise<T>
  close(): Promise<void>
  /** Ends what is under way; nobody gets a link any more. */
  cut(): void
}

interface PoolLimits {
  readonly waitMs: number | null
  readonly limitMs: number | null
}

const IDLE_MS = 60_000

export function createPool(open: () => Link, max: number): Pool {
  const links = new Set<Link>()
  /** The one used last is used next, so that those not needed are seen to be idle. */
  const idle: { readonly link: Link; readonly since: number }[] = []
  const waiting: Waiter[] = []
  let isClosed = false

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
    return links.size < max ? openNew() : undefined
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
      const link = await acquire(waitMs)
      try {
        return limitMs === null ? await work(link) : await within(link, limitMs, work)
      } finally {
        give(link)
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

/** The server ends what takes too long; a host that is cut off cannot even say so. */
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

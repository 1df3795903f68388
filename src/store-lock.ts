import { OperatorError } from './operator-error.ts'
import { acquireRole } from './store/acquire-role.ts'
import { EXCLUSIVE, KEEPER } from './store/roles.ts'
import type { Store } from './store/store.ts'

const LOCK_MS = 60_000
/** All services hold the lease under this one name, so that none keeps another out. */
const SERVICES = 'services'

/** The services' common lease is released by the first that ends, so a command that writes for long holds one of these alone. */
const LONG_WRITERS = ['writer/1', 'writer/2', 'writer/3', 'writer/4']

interface StoreLock extends AsyncDisposable {
  /** Aborted when another process took the store nevertheless, after this one had paused for longer than the lease. */
  readonly signal: AbortSignal
}

/**
 * Gives a command the store to itself. Holding the keeper role shows that no service runs, since one process of every
 * service is the keeper; holding all the roles lets none in.
 */
export async function lockExclusive(store: Store): Promise<StoreLock> {
  const { location } = await store.describe()
  const lost = new AbortController()
  const onLost = () =>
    lost.abort(new OperatorError(`a process was started on ${location} meanwhile`))
  await using holding = new AsyncDisposableStack()
  for (const role of [KEEPER, EXCLUSIVE, ...LONG_WRITERS]) {
    const held = await acquireRole(store.roles, role, { ttlMs: LOCK_MS, onLost })
    if (!held)
      throw new OperatorError(
        `a process is running on ${location}: stop all of them first; one that was killed counts for a minute`,
      )
    holding.use(held)
  }
  const held = holding.move()
  return { signal: lost.signal, [Symbol.asyncDispose]: () => held.disposeAsync() }
}

/**
 * For a service, or a command that writes. Throws while another command has the store to itself, because its copy would lack
 * what is written now. Keeps such commands out for a minute, until the service has a keeper that does.
 */
export async function lockShared(store: Store): Promise<AsyncDisposable> {
  const lease = await store.roles.acquire(EXCLUSIVE, SERVICES, LOCK_MS)
  if (!lease) {
    const { location } = await store.describe()
    throw new OperatorError(
      `a command has ${location} to itself, such as migrate-store: try again once it is done; one that was killed counts for a minute`,
    )
  }
  // A lease that cannot be released expires.
  return { [Symbol.asyncDispose]: () => store.roles.release(lease).catch(() => {}) }
}

/** For a command that may write for longer than a minute: until it ends, keeps out commands that need the store to themselves. */
export async function lockSharedForLong(store: Store): Promise<StoreLock> {
  await using _ = await lockShared(store)
  const { location } = await store.describe()
  const lost = new AbortController()
  const onLost = () =>
    lost.abort(
      new OperatorError(`a command had ${location} to itself meanwhile, such as migrate-store`),
    )
  for (const role of LONG_WRITERS) {
    const held = await acquireRole(store.roles, role, { ttlMs: LOCK_MS, onLost })
    if (held) return Object.assign(held, { signal: lost.signal })
  }
  throw new OperatorError(
    `${LONG_WRITERS.length} imports into ${location} are running: try again once one is done`,
  )
}

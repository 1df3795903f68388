import { OperatorError } from './operator-error.ts'
import { holdRole } from './store/hold-role.ts'
import { ALONE, KEEPER } from './store/roles.ts'
import type { Store } from './store/store.ts'

const HOLD_MS = 60_000
/** All services hold it as one, so that none keeps another out. */
const SERVICES = 'services'

/** What services hold as one is given back by the first that ends: who writes for long has one of these to itself. */
const LONG_WRITERS = ['writer/1', 'writer/2', 'writer/3', 'writer/4']

interface Held extends AsyncDisposable {
  /** Aborted when a process was started on the store all the same, after a pause that was too long. */
  readonly signal: AbortSignal
}

/** For a command: no service is on the store, since every server has a keeper among its processes, and none is let in. */
export async function holdAlone(store: Store): Promise<Held> {
  const { location } = await store.describe()
  const lost = new AbortController()
  const onLost = () =>
    lost.abort(new OperatorError(`a process was started on ${location} meanwhile`))
  await using holding = new AsyncDisposableStack()
  for (const role of [KEEPER, ALONE, ...LONG_WRITERS]) {
    const held = await holdRole(store.roles, role, { ttlMs: HOLD_MS, onLost })
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
 * For a service, and a command that writes: throws while a command has the store to itself, whose copy would lack what is
 * written now, and keeps such commands out until a keeper does, for a minute at most.
 */
export async function enterStore(store: Store): Promise<AsyncDisposable> {
  const lease = await store.roles.acquire(ALONE, SERVICES, HOLD_MS)
  if (!lease) {
    const { location } = await store.describe()
    throw new OperatorError(
      `a command has ${location} to itself, such as migrate-store: try again once it is done; one that was killed counts for a minute`,
    )
  }
  // One that cannot be given back runs out.
  return { [Symbol.asyncDispose]: () => store.roles.release(lease).catch(() => {}) }
}

/** For a command that may write for longer than a minute: keeps those out that need the store to themselves until it ends. */
export async function stayInStore(store: Store): Promise<Held> {
  await using _ = await enterStore(store)
  const { location } = await store.describe()
  const lost = new AbortController()
  const onLost = () =>
    lost.abort(
      new OperatorError(`a command had ${location} to itself meanwhile, such as migrate-store`),
    )
  for (const role of LONG_WRITERS) {
    const held = await holdRole(store.roles, role, { ttlMs: HOLD_MS, onLost })
    if (held) return Object.assign(held, { signal: lost.signal })
  }
  throw new OperatorError(
    `${LONG_WRITERS.length} imports into ${location} are running: try again once one is done`,
  )
}

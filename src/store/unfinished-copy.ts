import { AppError } from '../model/errors.ts'
import { ALL_CHANNELS } from './archive.ts'
import { COPIER, type Roles } from './roles.ts'
import type { Store } from './store.ts'

/**
 * A store that another one is copied into must not be served, backed up or copied on before it is whole. Its mark is a role that
 * is given back only then: who holds it counts, not until when.
 */
interface UnfinishedCopy {
  /** Removes the mark. */
  finish(): Promise<void>
}

const OWNER = 'migrate-store'

/**
 * Marks an empty store as about to be filled; one that the copy was begun in is marked already. What is in such a store came
 * from the copy, so that nothing has to be told apart or merged.
 */
export async function beginCopy(target: Store): Promise<UnfinishedCopy> {
  const { roles } = target
  if ((await roles.holder(COPIER)) === undefined) await expectEmpty(target)
  const lease = await roles.acquire(COPIER, OWNER, 0)
  return {
    async finish() {
      if (lease) await roles.release(lease)
    },
  }
}

async function expectEmpty({ archive, ledger, removals }: Store): Promise<void> {
  const first = { ...ALL_CHANNELS, sort: 'added', limit: 1, after: null } as const
  const held = [(await archive.channels(first)).items, await removals.list(), await ledger.keys()]
  if (held.some((found) => found.length > 0))
    throw new OtherDataError('the target has channels, opt-outs or keys of its own')
}

/** The target has what did not come from the source. */
export class OtherDataError extends Error {
  override name = 'OtherDataError'
  constructor(what: string) {
    super(
      `${what}: name a store that is empty, or one that this copy was begun in; nothing was changed`,
    )
  }
}

/** Only `migrate-store`, which finishes the copy, may open such a store. */
export class UnfinishedCopyError extends AppError {
  constructor(location: string) {
    super(
      'unavailable',
      `${location} is an unfinished copy of another store: run the same \`telegrep migrate-store\` again, it goes on where it stopped`,
    )
  }
}

export async function refuseUnfinished(roles: Roles, location: string): Promise<void> {
  if ((await roles.holder(COPIER)) !== undefined) throw new UnfinishedCopyError(location)
}

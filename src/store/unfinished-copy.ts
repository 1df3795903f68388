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

/** Marks a store that is about to be filled. One that was whole before is not marked: what it holds stays usable. */
export async function markUnfinished({ archive, roles }: Store): Promise<UnfinishedCopy> {
  const isBegun = (await roles.holder(COPIER)) !== undefined
  const first = { ...ALL_CHANNELS, sort: 'added', limit: 1, after: null } as const
  const isNew = (await archive.channels(first)).items.length === 0
  const lease = isBegun || isNew ? await roles.acquire(COPIER, OWNER, 0) : undefined
  return {
    async finish() {
      if (lease) await roles.release(lease)
    },
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

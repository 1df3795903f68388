import { createHash } from 'node:crypto'
import { isRecord } from '../../model/parse-json.ts'
import { channelPages } from '../channel-pages.ts'
import type { Store } from '../store.ts'

/** How two stores that should be equal differ, in sentences: by counts, and by a hash over each channel's posts. */
export async function compareStores(
  from: Store,
  to: Store,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const counts = [
    ['channels', (await from.archive.totals()).channels, (await to.archive.totals()).channels],
    ['posts', (await from.archive.totals()).posts, (await to.archive.totals()).posts],
    ['keys', (await from.ledger.keys()).length, (await to.ledger.keys()).length],
    ['revoked keys', await countRevoked(from), await countRevoked(to)],
    ['pictures', (await from.pictures.totals(0)).files, (await to.pictures.totals(0)).files],
    ['opt-outs', (await from.removals.list()).length, (await to.removals.list()).length],
  ] as const
  const problems = counts
    .filter(([, a, b]) => a !== b)
    .map(([what, a, b]) => `${a} ${what} became ${b}`)
  for await (const channels of channelPages(from.archive, 'added')) {
    for (const { id, username } of channels) {
      signal.throwIfAborted()
      const isSame = async (print: Print) =>
        (await hashOf(from, id, print, signal)) === (await hashOf(to, id, print, signal))
      // Keys of objects in another order are no difference; sorting them takes ten times as long and is rarely needed.
      if (!(await isSame(JSON.stringify)) && !(await isSame(sortedJson)))
        problems.push(`the posts of ${username} are not the same`)
    }
  }
  return problems
}

async function countRevoked({ ledger }: Store): Promise<number> {
  return (await ledger.keys()).filter(({ revokedAt }) => revokedAt !== null).length
}

type Print = (value: unknown) => string

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    isRecord(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}

async function hashOf(
  { archive }: Store,
  channelId: number,
  print: Print,
  signal: AbortSignal,
): Promise<string> {
  const hash = createHash('sha256')
  for await (const posts of archive.scan({ channelId, batch: 2_000, signal })) {
    for (const post of posts) {
      const versions = post.revision === 1 ? [] : await archive.versions(post)
      // Everything that was copied is hashed: the stored content hash was copied too, and would not reveal a damaged text.
      const { language: _derived, ...copied } = post
      hash.update(print([copied, versions]))
    }
  }
  return hash.digest('hex')
}

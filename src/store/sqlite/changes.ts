import { randomUUID } from 'node:crypto'
import type { Clock } from '../../model/clock.ts'
import type { Change } from '../archive.ts'
import { WHAT } from './change-rows.ts'
import type { Database } from './database.ts'
import { channelOfKey, numberOfKey } from './post-codec.ts'

interface ChangeRow {
  readonly seq: number
  readonly key: number
  readonly what: number
  readonly version: number
}

/** A claim outlives its drainer by no more than this; a living one keeps renewing it. */
const CLAIM_MS = 30_000

/**
 * Claims, hands over, forgets: a crash before the end leaves the changes to the next drainer, and one that moved again
 * meanwhile has another version and stays.
 */
export async function drainChanges(
  db: Database,
  clock: Clock,
  limit: number,
  handle: (changes: readonly Change[]) => Promise<void>,
): Promise<number> {
  // Asked for several times a second, mostly in vain: only those who find some wait for whoever is writing.
  if (!(await db.read(() => db.get(WAITING, clock.now())))) return 0
  const claim = randomUUID()
  const rows = await db.write(() => {
    const now = clock.now()
    return db.all<ChangeRow>(CLAIM, claim, now + CLAIM_MS, now, limit)
  })
  if (rows.length === 0) return 0
  const renewal = setInterval(() => {
    const renew = () => {
      for (const { seq } of rows) db.run(RENEW, clock.now() + CLAIM_MS, seq, claim)
    }
    db.write(renew).catch(() => {
      // The claim then runs out, and the worst that follows is that a change is told twice.
    })
  }, CLAIM_MS / 3)
  renewal.unref()
  try {
    await handle(rows.toSorted((a, b) => a.seq - b.seq).map(unpackChange))
  } catch (error) {
    await db.write(() => {
      for (const { seq } of rows) db.run(UNCLAIM, seq, claim)
    })
    throw error
  } finally {
    clearInterval(renewal)
  }
  await db.write(() => {
    for (const { seq, version } of rows) {
      const isForgotten = db.run(FORGET, seq, version, claim) > 0
      if (!isForgotten) db.run(UNCLAIM, seq, claim)
    }
  })
  return rows.length
}

function unpackChange({ key, what }: ChangeRow): Change {
  const channelId = channelOfKey(key)
  if (what === WHAT.channel) return { kind: 'channel', channelId }
  const kind = what === WHAT.counters ? 'counters' : 'post'
  return { kind, channelId, number: numberOfKey(key) }
}

const WAITING = 'select 1 from changes where claimed_until <= ? limit 1'
const CLAIM = `update changes set claim = ?, claimed_until = ?
  where seq in (select seq from changes where claimed_until <= ? order by seq limit ?)
  returning seq, key, what, version`
const RENEW = 'update changes set claimed_until = ? where seq = ? and claim = ?'
const UNCLAIM = 'update changes set claim = null, claimed_until = 0 where seq = ? and claim = ?'
const FORGET = 'delete from changes where seq = ? and version = ? and claim = ?'

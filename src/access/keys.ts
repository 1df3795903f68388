import { createCache } from '../model/cache.ts'
import type { Clock } from '../model/clock.ts'
import type { KeyRecord, Ledger } from '../store/ledger.ts'
import { hashSecret, keyPrefix, makeId, makeKey, matchesAny, parseKey } from './key.ts'
import type { Tiers } from './tiers.ts'

/** A key as it may be listed, without its secret. */
interface ListedKey extends Omit<KeyRecord, 'id' | 'secretHashes'> {
  readonly prefix: string
}

export interface MadeKey {
  /** Shown once; only its hash is stored. */
  readonly key: string
  readonly prefix: string
  readonly tier: string
}

/** Creating and revoking keys, for the operator. */
export interface Keys {
  create(options: { readonly tier: string; readonly name: string | null }): Promise<MadeKey>
  list(): Promise<readonly ListedKey[]>
  /** By prefix or whole key. False when there is no such key. */
  revoke(keyOrPrefix: string): Promise<boolean>
  /** A second secret for a key; the first keeps working until the next rotation. Undefined when there is no such key. */
  rotate(keyOrPrefix: string): Promise<MadeKey | undefined>
}

export function createKeys(options: {
  readonly ledger: Ledger
  readonly tiers: Tiers
  readonly pepper: string
  readonly clock: Clock
}): Keys {
  const { ledger, tiers, pepper, clock } = options
  return {
    async create({ tier, name }) {
      if (!tiers.has(tier)) {
        throw new Error(`expected a tier of ${[...tiers.keys()].join(', ')}; found ${tier}`)
      }
      const id = makeId()
      const { key, secret } = makeKey(id)
      const secretHash = hashSecret(secret, pepper)
      await ledger.addKey({ id, name, tier, createdAt: clock.now(), secretHash })
      return { key, prefix: keyPrefix(id), tier }
    },
    async list() {
      const records = await ledger.keys()
      return records.map((record) => ({
        prefix: keyPrefix(record.id),
        name: record.name,
        tier: record.tier,
        createdAt: record.createdAt,
        revokedAt: record.revokedAt,
        lastUsedAt: record.lastUsedAt,
      }))
    },
    revoke: (keyOrPrefix) => ledger.revokeKey(idOf(keyOrPrefix), clock.now()),
    async rotate(keyOrPrefix) {
      const id = idOf(keyOrPrefix)
      const record = await ledger.key(id)
      if (!record) return undefined
      const { key, secret } = makeKey(id)
      const added = await ledger.addSecret(id, hashSecret(secret, pepper))
      return added ? { key, prefix: keyPrefix(id), tier: record.tier } : undefined
    },
  }
}

/** The prefix of a key given whole, by its prefix or by its id. */
export function prefixOf(keyOrPrefix: string): string {
  return keyPrefix(idOf(keyOrPrefix))
}

function idOf(keyOrPrefix: string): string {
  return /^(?:tgr_)?([0-9A-Za-z]{8})(?:_.*)?$/.exec(keyOrPrefix.trim())?.[1] ?? keyOrPrefix
}

/** How long a look-up is cached, and so how long a revoked key may keep working. */
const CACHE_MS = 5_000
const LOOKED_SIZE = 10_000
const OPENED_SIZE = 1_000
const TOUCH_EVERY_MS = 60_000
const DUMMY_HASHES = ['0'.repeat(43)]

/** The record of a presented key; undefined for unknown, revoked and malformed keys alike. */
type KeyFinder = (presented: string) => Promise<KeyRecord | undefined>

interface LookedUp {
  readonly record: KeyRecord | undefined
  readonly since: number
  /** A cached record is looked up again once in its lifetime: the secret that does not match may have just been created. */
  readonly isSecond: boolean
  touchedAt: number
}

export function createKeyFinder(options: {
  readonly ledger: Ledger
  readonly pepper: string
  readonly clock: Clock
}): KeyFinder {
  const { ledger, pepper, clock } = options
  const maxAge = { ms: CACHE_MS, clock }
  const looked = createCache<string, LookedUp>({ maxEntries: LOOKED_SIZE, maxAge })
  /** Keys that were verified a moment ago: a busy caller's key need not be hashed again for each request. */
  const opened = createCache<string, KeyRecord>({ maxEntries: OPENED_SIZE, maxAge })

  async function look(id: string, isSecond: boolean): Promise<LookedUp> {
    const since = clock.elapsed()
    const record = await ledger.key(id)
    const entry = { record, since, isSecond, touchedAt: record?.lastUsedAt ?? 0 }
    looked.set(id, entry, since)
    return entry
  }

  async function open(presented: string): Promise<KeyRecord | undefined> {
    const parsed = parseKey(presented)
    const hash = hashSecret(parsed?.secret ?? '', pepper)
    // Does the same work for an unknown key, so that timing does not reveal which ids exist.
    const isOpenedBy = (found: LookedUp | undefined) =>
      matchesAny(hash, found?.record ? found.record.secretHashes : DUMMY_HASHES)
    const held = parsed ? looked.get(parsed.id) : undefined
    let entry = parsed ? (held ?? (await look(parsed.id, false))) : undefined
    let isOpen = isOpenedBy(entry)
    if (parsed && held && !isOpen && !held.isSecond) {
      entry = await look(parsed.id, true)
      isOpen = isOpenedBy(entry)
    }
    const record = entry?.record
    if (!entry || !record || !isOpen || record.revokedAt !== null) return undefined
    const now = clock.now()
    if (now - entry.touchedAt >= TOUCH_EVERY_MS) {
      entry.touchedAt = now
      await ledger.touchKey(record.id, now)
    }
    opened.set(presented, record, entry.since)
    return record
  }

  return async (presented) => opened.get(presented) ?? open(presented)
}

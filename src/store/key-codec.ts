import type { KeyRecord } from './ledger.ts'

export function unpackKey(row: KeyRow): KeyRecord {
  return {
    id: row.id,
    name: row.name,
    tier: row.tier,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    secretHashes: JSON.parse(row.secret_hashes) as string[],
  }
}

export interface KeyRow {
  readonly id: string
  readonly name: string | null
  readonly tier: string
  readonly created_at: number
  readonly revoked_at: number | null
  readonly last_used_at: number | null
  readonly secret_hashes: string
}

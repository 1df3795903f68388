import { z } from 'zod'
import { CAPTURES, type ArchivedPost, type Post, type PostVersion } from '../../model/post.ts'
import { parseTime } from '../../model/time.ts'

/**
 * What an export of an archive says about a post besides its content: when and how it was captured, and its earlier
 * versions.
 */
export interface ExportedHistory extends Omit<ArchivedPost, keyof Post | 'channelId' | 'language'> {
  readonly versions: readonly PostVersion[]
}

export const MAX_TEXT = 32_768
const MAX_VERSIONS = 10_000
const time = z.string()
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** Only an export has a revision. A reply of the API shows an archive's captures but is not an export of it. */
const evidence = z.object({
  content_sha256: sha256,
  first_captured_at: time,
  last_captured_at: time,
  capture: z.enum(CAPTURES),
  parser_version: z.int().min(0).max(1_000_000),
  revision: z.int().min(1).max(1_000_000_000),
})

export const historyFields = {
  evidence: z.union([evidence, z.object({ revision: z.undefined().optional() })]).optional(),
  deleted_at: time.optional(),
  versions: z
    .array(z.object({ captured_at: time, text: z.string().max(MAX_TEXT).nullable(), sha256 }))
    .max(MAX_VERSIONS)
    .default([]),
}
const historySchema = z.object(historyFields)

/** Null when the line has no history; a string says what is wrong with it. */
export function readHistory(
  read: z.output<typeof historySchema>,
  now: number,
): ExportedHistory | string | null {
  const told = read.evidence
  if (told?.revision === undefined) return null
  const firstCapturedAt = instant(told.first_captured_at, now)
  const lastCapturedAt = instant(told.last_captured_at, now)
  const deletedAt = read.deleted_at === undefined ? null : instant(read.deleted_at, now)
  const versions = read.versions.map(({ captured_at: at, ...version }) => ({
    ...version,
    capturedAt: instant(at, now),
  }))
  const times = [firstCapturedAt, lastCapturedAt, deletedAt, ...versions.map((v) => v.capturedAt)]
  if (times.includes(undefined)) return 'evidence: expected RFC 3339 times until now'
  const captured = Math.max(firstCapturedAt!, lastCapturedAt!)
  return {
    firstCapturedAt: firstCapturedAt!,
    lastCapturedAt: captured,
    capture: told.capture,
    parserVersion: told.parser_version,
    revision: Math.max(told.revision, versions.length + 1),
    // A capture after the deletion would say that the post was there again.
    deletedAt: deletedAt == null ? null : Math.max(deletedAt, captured),
    // It cannot be computed again for a post whose text is gone.
    contentSha256: told.content_sha256,
    versions: versions.map(({ capturedAt, text, sha256: hash }) => ({
      capturedAt: capturedAt!,
      text,
      sha256: hash,
    })),
  }
}

function instant(text: string, now: number): number | undefined {
  const at = parseTime(text)
  return at === undefined || at < 0 || at > now ? undefined : at
}

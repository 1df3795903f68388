/** The revision in which each request says of itself what it speaks. */
export const SELF_CONTAINED = '2026-07-28'

/** Newest first: what the server speaks. Written out, since the protocol's library is loaded for those who speak it only. */
export const SUPPORTED_PROTOCOL_VERSIONS: readonly string[] = [
  SELF_CONTAINED,
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
]

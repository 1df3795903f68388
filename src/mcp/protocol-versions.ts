/** The revision in which each request states its own protocol version. */
export const SELF_CONTAINED = '2026-07-28'

/**
 * The supported revisions, newest first. Written out here because the protocol's library is loaded only for the first MCP
 * request.
 */
export const SUPPORTED_PROTOCOL_VERSIONS: readonly string[] = [
  SELF_CONTAINED,
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
]

import { SUPPORTED_PROTOCOL_VERSIONS as WITH_HANDSHAKE } from '@modelcontextprotocol/server'
import { SELF_CONTAINED } from './wire.ts'

/** Newest first: what the server speaks. */
export const SUPPORTED_PROTOCOL_VERSIONS = [...new Set([SELF_CONTAINED, ...WITH_HANDSHAKE])]

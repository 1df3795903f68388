import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server'
import { getOrMake } from '../model/get-or-make.ts'
import { SELF_CONTAINED } from './protocol-versions.ts'
import type { Era } from './wire.ts'

export const LIST = 'tools/list'

const META = {
  [PROTOCOL_VERSION_META_KEY]: SELF_CONTAINED,
  [CLIENT_INFO_META_KEY]: { name: 'telegrep', version: '1' },
  [CLIENT_CAPABILITIES_META_KEY]: {},
}
const ASKED: Readonly<Record<Era, { readonly headers: Record<string, string>; params: object }>> = {
  handshake: { headers: {}, params: {} },
  'self-contained': {
    headers: { 'mcp-protocol-version': SELF_CONTAINED, 'mcp-method': LIST },
    params: { _meta: META },
  },
}

/**
 * The list of tools as JSON, the same for every caller. Made once per era by asking the protocol's library, because making
 * and serialising it takes 2 ms of the main thread.
 */
export function createPreparedList(
  ask: (request: Request) => Promise<Response>,
): (era: Era) => Promise<string> {
  const made = new Map<Era, Promise<string>>()

  async function make(era: Era): Promise<string> {
    const { headers, params } = ASKED[era]
    const reply = await ask(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: LIST, params }),
      }),
    )
    // Plain JSON, or a single event of a stream.
    const text = (await reply.text()).replace(/^event: message\ndata: /, '')
    return JSON.stringify((JSON.parse(text) as { result: object }).result)
  }

  return (era) => getOrMake(made, era, () => make(era))
}

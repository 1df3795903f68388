import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SUPPORTED_PROTOCOL_VERSIONS as WITH_HANDSHAKE } from '@modelcontextprotocol/server'
import { SELF_CONTAINED, SUPPORTED_PROTOCOL_VERSIONS } from './protocol-versions.ts'

test('the protocol versions we announce are those the library supports', () => {
  assert.deepEqual(SUPPORTED_PROTOCOL_VERSIONS, [...new Set([SELF_CONTAINED, ...WITH_HANDSHAKE])])
})

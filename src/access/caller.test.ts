import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressId, clientAddress, isLoopback, isLoopbackHost, network } from './caller.ts'

test('an IPv6 address counts as its /64 network, an IPv4 address as itself', () => {
  assert.equal(network('203.0.113.9'), '203.0.113.9')
  assert.equal(network('::ffff:203.0.113.9'), '203.0.113.9')
  assert.equal(network('2001:db8:1:2::1'), network('2001:db8:1:2:ffff:ffff:ffff:ffff'))
  assert.notEqual(network('2001:db8:1:2::1'), network('2001:db8:1:3::1'))
  assert.equal(network('fe80::1%eth0'), 'fe80:0:0:0::/64')
  assert.equal(network('nonsense'), 'unknown')
})

test('an address id is a peppered hash that does not contain the address', () => {
  const id = addressId('203.0.113.9', 'pepper')
  assert.ok(!id.includes('203'))
  assert.notEqual(id, addressId('203.0.113.9', 'other'))
})

test('the client address is taken from as many forwarding hops as are trusted', () => {
  const forwarded = '198.51.100.7, 203.0.113.9, 10.0.0.2'
  assert.equal(clientAddress('10.0.0.1', forwarded, 0), '10.0.0.1')
  assert.equal(clientAddress('10.0.0.1', forwarded, 1), '10.0.0.2')
  assert.equal(clientAddress('10.0.0.1', forwarded, 2), '203.0.113.9')
  assert.equal(clientAddress('10.0.0.1', forwarded, 9), '198.51.100.7')
})

test('an invalid forwarded address is ignored, and a port is stripped from a valid one', () => {
  assert.equal(clientAddress('10.0.0.1', 'unknown', 1), '10.0.0.1')
  assert.equal(clientAddress('10.0.0.1', '203.0.113.9:4711', 1), '203.0.113.9')
  assert.equal(clientAddress('10.0.0.1', '[2001:db8::1]:443', 1), '2001:db8::1')
})

test('isLoopback recognises loopback addresses and nothing else', () => {
  for (const own of ['127.0.0.1', '127.8.0.3', '::1', '::ffff:127.0.0.1'])
    assert.ok(isLoopback(own))
  for (const other of ['', '128.0.0.1', '10.0.0.1', '::2', '::ffff:10.0.0.1', '127.evil'])
    assert.ok(!isLoopback(other), other)
})

test('isLoopbackHost recognises names and addresses of this machine', () => {
  for (const own of ['localhost', 'localhost.', 'demo.localhost', '127.0.0.1', '[::1]', '::1'])
    assert.ok(isLoopbackHost(own), own)
  for (const other of [
    '',
    'localhost.evil.example',
    'notlocalhost',
    '0.0.0.0',
    '10.0.0.1',
    '[::2]',
  ])
    assert.ok(!isLoopbackHost(other), other)
})

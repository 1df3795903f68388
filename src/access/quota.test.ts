import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openTemporary } from '../../test/open-temporary.ts'
import type { Clock } from '../model/clock.ts'
import { AppError } from '../model/errors.ts'
import type { Ledger } from '../store/ledger.ts'
import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import { createAccess, isFree, type Access } from './access.ts'
import { LOCAL } from './caller.ts'
import { createKeys, type Keys } from './keys.ts'
import { createQuota } from './quota.ts'
import { parseTiers } from './tiers.ts'

const TIERS = parseTiers(
  '{"anonymous": {"burst": 3, "daily": 5, "live": 1}, "big": {"burst": 1000}}',
)
const ANONYMOUS = TIERS.get('anonymous')!
const BIG = TIERS.get('big')!
const START = Date.UTC(2026, 4, 31, 12)

describe('access', () => {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-access-'))
  let store: Store
  let now = START
  let address = 0
  let setBackBy = 0
  const clock: Clock = {
    now: () => now,
    elapsed: () => now + setBackBy,
    sleep: () => Promise.resolve(),
  }
  const setBack = (ms: number) => {
    now -= ms
    setBackBy += ms
  }
  let access: Access
  let keys: Keys

  before(async () => {
    store = await openStore({
      kind: 'sqlite',
      folder,
      retention: { deleted: 'redact', versions: 'keep' },
      clock,
    })
  })
  after(async () => {
    await store[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  })
  beforeEach(() => {
    address++
    const shared = { ledger: store.ledger, tiers: TIERS, pepper: 'pepper', clock }
    access = createAccess({ ...shared, anonymous: true })
    keys = createKeys(shared)
  })
  const caller = () => access.anonymous(`203.0.113.${address}`)

  test('a burst window starts with the first request and resets as a whole a minute later', async () => {
    for (let i = 0; i < 3; i++) await access.admit(caller(), ['burst'])
    await assert.rejects(access.admit(caller(), ['burst']), {
      code: 'quota_exceeded',
      retryAfterS: 60,
      extra: { 'violated-policies': ['burst'] },
    })
    now += 59_999
    await assert.rejects(access.admit(caller(), ['burst']))
    now += 1
    await access.admit(caller(), ['burst'])
    assert.equal(access.known(caller())[0]?.remaining, 2)
  })

  test('only responses that took no work are free', () => {
    const statuses = [200, 304, 400, 401, 404, 410, 429, 500, 503]
    assert.deepEqual(statuses.filter(isFree), [304, 400, 401, 429, 500, 503])
  })

  test('giving back a permit restores the quota, and only once', async () => {
    const permit = await access.admit(caller(), ['daily'])
    await access.admit(caller(), ['daily'])
    permit.refund('daily')
    permit.refund('daily')
    assert.equal(
      (await access.policyStates(caller())).find((s) => s.name === 'daily')?.remaining,
      4,
    )
  })

  test('giving back a permit still counts after its caller has been idle', async () => {
    const daily = async () =>
      (await access.policyStates(caller())).find((s) => s.name === 'daily')?.remaining
    const slow = [await access.admit(caller(), ['daily']), await access.admit(caller(), ['daily'])]
    now += 10_000
    await access.returnIdle()
    for (const permit of slow) permit.refund('daily')
    assert.equal(await daily(), 5)
    await access.returnIdle()
    assert.equal(await daily(), 5, 'in the ledger too')
    assert.equal(access.known(caller()).length, 0, 'nothing is kept of who asks no more')
    for (let i = 0; i < 5; i++) await access.admit(caller(), ['daily'])
    await assert.rejects(access.admit(caller(), ['daily']), { code: 'quota_exceeded' })
    const late = await access.admit(caller(), ['burst'])
    now += 86_400_000
    late.refund('burst')
    assert.equal(access.known(caller()).length, 0, 'the window is over')
  })

  test('setting the clock back neither locks a caller out nor grants a burst twice', async () => {
    const take = () => access.admit(caller(), ['burst'])
    for (let i = 0; i < 3; i++) await take()
    await assert.rejects(take())
    for (const ms of [1, 30_000, -30_001]) {
      setBack(ms)
      now += 1_000
      await assert.rejects(take(), { code: 'quota_exceeded' })
    }
    setBack(7_200_000)
    now += 1_000
    for (let i = 0; i < 3; i++) await take()
    await assert.rejects(take(), { code: 'quota_exceeded', retryAfterS: 60 })
    now += 60_000
    await take()
  })

  test('a request refused by the daily quota still counts against the burst', async () => {
    for (let i = 0; i < 5; i++) await access.admit(caller(), ['daily'])
    await assert.rejects(access.admit(caller(), ['burst', 'daily']), {
      extra: { 'violated-policies': ['daily'] },
    })
    assert.equal(access.known(caller()).find((s) => s.name === 'burst')?.remaining, 2)
  })

  test('an unknown key is refused and counts against the burst of its address', async () => {
    const from = `203.0.113.${address}`
    for (let i = 0; i < 3; i++) {
      await assert.rejects(access.identify({ key: 'tgr_nonsense', address: from }), {
        code: 'invalid_key',
      })
    }
    await assert.rejects(access.identify({ key: 'tgr_nonsense', address: from }), {
      code: 'quota_exceeded',
    })
  })

  test('a new key works at once, a revoked one stops working within 5 s', async () => {
    const { key, prefix } = await keys.create({ tier: 'big', name: 'press' })
    const found = await access.identify({ key, address: '203.0.113.1' })
    assert.equal(found.tier.name, 'big')
    assert.deepEqual([found.key?.prefix, found.key?.name], [prefix, 'press'])
    assert.equal(await keys.revoke(prefix), true)
    now += 5_000
    await assert.rejects(access.identify({ key, address: `203.0.113.${address}` }), {
      code: 'invalid_key',
    })
    assert.equal(await keys.revoke('tgr_00000000'), false)
  })

  test('a revoked key stops working within 5 s even if the clock was set back', async () => {
    const { key } = await keys.create({ tier: 'big', name: null })
    await access.identify({ key, address: '203.0.113.1' })
    setBack(3_600_000)
    await keys.revoke(key)
    now += 5_000
    await assert.rejects(access.identify({ key, address: `203.0.113.${address}` }), {
      code: 'invalid_key',
    })
  })

  test('rotating a key keeps its last two secrets valid and retires older ones', async () => {
    const first = await keys.create({ tier: 'big', name: null })
    const second = await keys.rotate(first.prefix)
    const opens = async (key: string) => {
      now += 5_000
      address++
      const tried = access.identify({ key, address: `203.0.113.${address}` })
      return await tried.then(() => true).catch((error: AppError) => error.code)
    }
    assert.equal(await opens(first.key), true)
    assert.equal(await opens(second!.key), true)
    const third = await keys.rotate(first.prefix)
    assert.equal(await opens(first.key), 'invalid_key')
    assert.equal(await opens(second!.key), true)
    assert.equal(await opens(third!.key), true)
  })

  test('a rotated key works at once even if the old secret is cached; guesses cause no further look-ups', async (t) => {
    const first = await keys.create({ tier: 'big', name: null })
    await access.identify({ key: first.key, address: '203.0.113.1' })
    const second = await keys.rotate(first.prefix)
    const found = await access.identify({ key: second!.key, address: '203.0.113.1' })
    assert.equal(found.key?.prefix, first.prefix)
    // Guessing makes the store be asked only once more.
    const third = await keys.rotate(first.prefix)
    const { mock } = t.mock.method(store.ledger, 'key')
    for (let i = 0; i < 3; i++) {
      address++
      const guess = access.identify({ key: third!.key, address: `203.0.113.${address}` })
      await assert.rejects(guess, { code: 'invalid_key' })
    }
    assert.equal(mock.callCount(), 0)
  })

  test('a caller whose tier is missing from the tiers file gets the limits of `anonymous`', async () => {
    assert.deepEqual(access.anonymous(LOCAL).tier, ANONYMOUS)
    const tiers = new Map([...TIERS, ['former', { ...BIG, name: 'former' }]])
    const earlier = createKeys({ ledger: store.ledger, tiers, pepper: 'pepper', clock })
    const { key } = await earlier.create({ tier: 'former', name: null })
    const found = await access.identify({ key, address: '203.0.113.1' })
    assert.deepEqual(found.tier, { ...ANONYMOUS, name: 'former' })
    assert.match(found.id, /^key:/)
  })

  test('the ledger holds no secret of a key', async () => {
    const { key } = await keys.create({ tier: 'big', name: null })
    const secret = key.split('_')[2]!.slice(0, 22)
    assert.ok(!JSON.stringify(await store.ledger.keys()).includes(secret))
    assert.ok(!JSON.stringify(await keys.list()).includes(secret))
  })

  test('a key is required where anonymous callers are not allowed', async () => {
    const closed = createAccess({
      ledger: store.ledger,
      tiers: TIERS,
      pepper: 'pepper',
      clock,
      anonymous: false,
    })
    await assert.rejects(closed.identify({ key: undefined, address: `203.0.113.${address}` }), {
      code: 'key_required',
    })
  })

  test('several processes together reach a limit but never exceed it', async () => {
    const processes = [1, 2, 3].map(() => createQuota({ ledger: store.ledger, clock }))
    const taken = await Promise.all(
      Array.from({ length: 3000 }, (_, i) => processes[i % 3]!.take('key:shared', BIG, 'burst')),
    )
    const granted = taken.filter(Boolean).length
    assert.ok(granted <= 1000 && granted >= 970, `granted ${granted}`)
    for (const quota of processes) await quota[Symbol.asyncDispose]()
    const usage = await store.ledger.usage('key:shared', 'burst', 60_000)
    assert.equal(usage?.used, granted)
  })

  test('an unused block of quota is returned to the ledger', async () => {
    const idle = createQuota({ ledger: store.ledger, clock })
    await idle.take('key:idle', BIG, 'burst')
    assert.equal((await store.ledger.usage('key:idle', 'burst', 60_000))?.used, 10)
    now += 5_000
    await idle.returnIdle()
    assert.equal((await store.ledger.usage('key:idle', 'burst', 60_000))?.used, 1)
  })

  test('a store whose clock is behind is charged at most once a second after a refusal', async () => {
    const behind = { ...clock, now: () => now - 90_000 }
    await using late = await openTemporary(behind)
    let charges = 0
    const ledger: Ledger = {
      ...late.ledger,
      charge(request) {
        // An endless loop would otherwise go unnoticed here.
        if (++charges > 50) throw new Error('asked without end')
        return late.ledger.charge(request)
      },
    }
    const quota = createQuota({ ledger, clock })
    const take = () => quota.take('key:late', ANONYMOUS, 'burst')
    for (let i = 0; i < 3; i++) assert.ok(await take())
    assert.equal(await take(), undefined)
    const asked = charges
    now += 999
    assert.equal(await take(), undefined)
    assert.equal(charges, asked)
    now += 1
    assert.equal(await take(), undefined)
    assert.equal(charges, asked + 1)
    now += 59_000
    assert.ok(await take(), 'the next window')
  })

  test('a refusal that the ledger takes long to give is not asked for again at once', async () => {
    let charges = 0
    const ledger: Ledger = {
      ...store.ledger,
      charge(request) {
        if (++charges > 50) throw new Error('asked without end')
        now += 1_100
        return store.ledger.charge(request)
      },
    }
    const quota = createQuota({ ledger, clock })
    const take = () => quota.take('key:slow', ANONYMOUS, 'burst')
    for (let i = 0; i < 3; i++) assert.ok(await take())
    assert.equal(await take(), undefined)
    assert.equal(charges, 4)
  })

  test('daily and hourly windows end at full days and hours of UTC', async () => {
    now = START + 30 * 60_000
    const quota = createQuota({ ledger: store.ledger, clock })
    await quota.take('key:clock', ANONYMOUS, 'daily')
    await quota.take('key:clock', ANONYMOUS, 'live')
    const [daily, live] = quota.known('key:clock', ANONYMOUS)
    assert.equal(daily?.resetsAt, Date.UTC(2026, 5, 1))
    assert.equal(live?.resetsAt, START + 60 * 60_000)
  })
})

import { createKeys, prefixOf, type Keys, type MadeKey } from '../../access/keys.ts'
import { expectSameSecret } from '../../same-settings.ts'
import { lockShared } from '../../store-lock.ts'
import { systemClock } from '../../model/clock.ts'
import { OperatorError } from '../../operator-error.ts'
import { readSecret, readTiers } from '../../operator-files.ts'
import { isStoreRemote } from '../../store/store-location.ts'
import type { Store } from '../../store/store.ts'
import { openLocalStore } from '../local.ts'
import { NotFoundError, UsageError, type CommandCall } from '../command.ts'
import { formatAge, formatInstant } from '../format.ts'
import { nextCommand } from '../invocation.ts'
import { showTable } from '../table.ts'
import { offeredTiers, tierWords } from '../tier-words.ts'
import { textFlag } from '../flag-values.ts'

export async function createKey(call: CommandCall): Promise<void> {
  const tier = textFlag(call, 'tier')
  const tiers = await readTiers(call.config)
  const allowed = tiers.get(tier ?? '')
  if (tier === null || allowed === undefined) {
    const given = tier === null ? '' : `, found ${JSON.stringify(tier)}`
    throw new UsageError(`expected --tier with one of these${given}:\n${offeredTiers(tiers)}`)
  }
  return changeKeys(call, async (keys) => {
    tellKey(call, await keys.create({ tier, name: textFlag(call, 'name') }))
    if (!call.json) call.print.note(`It may ask, as ${tier}: ${tierWords(allowed)}.`)
  })
}

function tellKey({ print, json }: CommandCall, made: MadeKey): void {
  if (json) {
    print.json(made)
    return
  }
  print.line(made.key)
  print.note('This key is shown once: only its hash is kept.')
  print.note('Send it as "Authorization: Bearer <key>".')
}

export function listKeys(call: CommandCall): Promise<void> {
  return withKeys(call, async (keys) => {
    const listed = await keys.list()
    if (call.json) {
      call.print.json(
        listed.map((k) => ({
          prefix: k.prefix,
          name: k.name,
          tier: k.tier,
          created_at: formatInstant(k.createdAt),
          revoked_at: k.revokedAt === null ? null : formatInstant(k.revokedAt),
          last_used_at: k.lastUsedAt === null ? null : formatInstant(k.lastUsedAt),
        })),
      )
      return
    }
    if (listed.length === 0) {
      call.print.note(`There are no keys yet: ${nextCommand(call, 'keys create --tier free')}`)
      return
    }
    const now = systemClock.now()
    showTable(
      listed,
      [
        { title: 'key', cell: (k) => k.prefix },
        { title: 'tier', mayGo: 3, cell: (k) => k.tier },
        { title: 'name', shrinks: 1, cell: (k) => k.name ?? '' },
        { title: 'made', mayGo: 1, cell: (k) => formatAge(k.createdAt, now) },
        { title: 'last used', mayGo: 2, cell: (k) => formatAge(k.lastUsedAt, now) },
        {
          title: '',
          mayGo: 4,
          cell: (k) => (k.revokedAt === null ? '' : `revoked ${formatAge(k.revokedAt, now)}`),
        },
      ],
      call.print,
    )
  })
}

export function revokeKey(call: CommandCall): Promise<void> {
  const [key = ''] = call.operands
  return changeKeys(call, async (keys) => {
    const revoked = await keys.revoke(key)
    if (!revoked) throw unknownKey(key, call)
    if (call.json) call.print.json({ revoked })
    else call.print.note(`${prefixOf(key)} is revoked: servers refuse it within 5 seconds.`)
  })
}

export function rotateKey(call: CommandCall): Promise<void> {
  const [key = ''] = call.operands
  return changeKeys(call, async (keys) => {
    const made = await keys.rotate(key)
    if (!made) throw (await revokedKey(keys, key, call)) ?? unknownKey(key, call)
    tellKey(call, made)
    if (!call.json) call.print.note('The key before it works until the next rotation.')
  })
}

/** A key that is listed, but revoked, must not be reported as missing. */
async function revokedKey(keys: Keys, key: string, call: CommandCall) {
  const prefix = prefixOf(key)
  const found = (await keys.list()).find((listed) => listed.prefix === prefix)
  if (!found || found.revokedAt === null) return undefined
  const create = nextCommand(call, `keys create --tier ${found.tier}`)
  return new OperatorError(`the key ${prefix} is revoked for good; ${create} makes another`)
}

/** Shows only the part of the input that is not secret. */
function unknownKey(key: string, call: CommandCall): NotFoundError {
  return new NotFoundError(
    `there is no key ${key.slice(0, 12)}…; see ${nextCommand(call, 'keys list')}`,
  )
}

function changeKeys(call: CommandCall, work: (keys: Keys) => Promise<void>): Promise<void> {
  return withKeys(call, async (keys, store) => {
    await using _ = await lockShared(store)
    await work(keys)
  })
}

async function withKeys(
  call: CommandCall,
  work: (keys: Keys, store: Store) => Promise<void>,
): Promise<void> {
  await using store = await openLocalStore(call)
  const pepper = await readSecret(call.config, call.secrets)
  // A key made with another secret than that of the servers would not work.
  if (isStoreRemote(call.config.store)) await expectSameSecret(store.roles, pepper)
  const keys = createKeys({
    ledger: store.ledger,
    tiers: await readTiers(call.config),
    pepper,
    clock: systemClock,
  })
  return await work(keys, store)
}

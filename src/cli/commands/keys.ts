import { createKeys } from '../../access/keys.ts'
import type { Keys } from '../../access/keys.ts'
import { systemClock } from '../../model/clock.ts'
import { readSecret, readTiers } from '../../operator-files.ts'
import { openLocalStore } from '../local.ts'
import { EXIT_CODES, UsageError } from '../command.ts'
import type { Command, CommandCall } from '../command.ts'
import { formatAge, formatInstant } from '../format.ts'
import { tableLines } from '../table.ts'

export const keysCreate: Command = {
  name: 'keys create',
  summary: 'make an API key; it works at once and is shown once',
  operands: '',
  flags: {
    tier: {
      type: 'string',
      value: '<tier>',
      meaning: 'free, pro, unlimited or one of TELEGREP_TIERS',
    },
    name: { type: 'string', value: '<name>', meaning: 'whose key it is, for your own list' },
  },
  examples: [
    { line: 'telegrep keys create --tier free --name "reading room"', does: 'a key for a friend' },
    {
      line: 'telegrep keys create --tier unlimited --json',
      does: 'for a script: {key, prefix, tier}',
    },
  ],
  run: (call) =>
    withKeys(call, async (keys) => {
      const tier = call.flags['tier']
      if (typeof tier !== 'string')
        throw new UsageError('expected --tier <tier>, such as --tier free')
      const tiers = await readTiers(call.config)
      if (!tiers.has(tier)) {
        throw new UsageError(
          `expected a tier of ${[...tiers.keys()].join(', ')}; found ${JSON.stringify(tier)}`,
        )
      }
      const name = call.flags['name']
      const made = await keys.create({ tier, name: typeof name === 'string' ? name : null })
      if (call.json) call.print.json(made)
      else {
        call.print.line(made.key)
        call.print.note(
          'This key is shown once: only its hash is kept. Send it as "Authorization: Bearer <key>".',
        )
      }
    }),
}

export const keysList: Command = {
  name: 'keys list',
  summary: 'list the API keys',
  operands: '',
  flags: {},
  examples: [{ line: 'telegrep keys list', does: 'prefixes, tiers, when last used' }],
  run: (call) =>
    withKeys(call, async (keys) => {
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
        call.print.note('There are no keys yet: telegrep keys create --tier free')
        return
      }
      const now = systemClock.now()
      const rows = listed.map((k) => [
        k.prefix,
        k.tier,
        k.name ?? '',
        formatAge(k.createdAt, now),
        formatAge(k.lastUsedAt, now),
        k.revokedAt === null ? '' : `revoked ${formatAge(k.revokedAt, now)}`,
      ])
      const columns = ['key', 'tier', 'name', 'made', 'last used', ''].map((title) => ({
        title,
        flexible: title === 'name',
      }))
      for (const line of tableLines(columns, rows, call.print.width)) call.print.line(line)
    }),
}

export const keysRevoke: Command = {
  name: 'keys revoke',
  summary: 'end an API key; servers refuse it within 5 seconds',
  operands: '<key or its prefix>',
  flags: {},
  examples: [
    { line: 'telegrep keys revoke tgr_a1B2c3D4', does: 'by the prefix that `keys list` shows' },
  ],
  async run(call) {
    const key = call.operands[0]
    if (key === undefined)
      throw new UsageError('expected a key or its prefix, as `keys list` shows it')
    let found = false
    await withKeys(call, async (keys) => {
      found = await keys.revoke(key)
    })
    if (call.json) call.print.json({ revoked: found })
    else
      call.print.note(
        found ? 'Revoked.' : `There is no key ${key.slice(0, 12)}…; see telegrep keys list`,
      )
    return found ? EXIT_CODES.ok.code : EXIT_CODES.not_found.code
  },
}

async function withKeys(call: CommandCall, work: (keys: Keys) => Promise<void>) {
  await using store = await openLocalStore(call.config)
  const keys = createKeys({
    ledger: store.ledger,
    tiers: await readTiers(call.config),
    pepper: await readSecret(call.config, call.secrets),
    clock: systemClock,
  })
  await work(keys)
  return EXIT_CODES.ok.code
}

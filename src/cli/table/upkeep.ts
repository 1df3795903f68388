import type { Command } from '../command.ts'

/** Commands for whoever runs the service: how it is, and who may use it. */

export const status: Command = {
  name: 'status',
  summary: 'what is due, late, failing; budget, index lag',
  operands: '',
  takes: [0, 0],
  data: 'needed',
  flags: {},
  examples: [
    { line: 'telegrep status', does: 'a page of figures; servers may be running' },
    { line: 'telegrep status --json', does: 'for a monitor' },
  ],
  run: async (call) => (await import('../commands/status.ts')).status(call),
}

export const stats: Command = {
  name: 'stats',
  summary: 'figures of all channels: posts, pace, views, how complete each archive is',
  operands: '[channel…]',
  takes: [0, Infinity],
  data: 'needed',
  flags: {
    format: { type: 'string', value: '<table|csv|ndjson>', meaning: 'how (table)' },
    all: { type: 'boolean', meaning: 'every channel in the table, not only the busiest 20' },
  },
  examples: [
    { line: 'telegrep stats', does: 'the whole archive, and its busiest channels' },
    { line: 'telegrep stats --format csv > channels.csv', does: 'a row for each channel' },
  ],
  run: async (call) => (await import('../commands/stats.ts')).stats(call),
}

export const doctor: Command = {
  name: 'doctor',
  summary: 'check integrity, versions, index, disk, clock and source',
  operands: '',
  takes: [0, 0],
  data: 'needed',
  flags: { offline: { type: 'boolean', meaning: 'do not ask the source' } },
  examples: [
    { line: 'telegrep doctor', does: 'exits with 1 when something is wrong' },
    { line: 'telegrep doctor --offline --json', does: 'without asking the platform' },
  ],
  run: async (call) => (await import('../commands/doctor.ts')).doctor(call),
}

export const migrateStore: Command = {
  name: 'migrate-store',
  summary: 'copy the archive between files and PostgreSQL; no process may be running',
  operands: '',
  takes: [0, 0],
  data: 'untouched',
  flags: {
    from: { type: 'string', value: '<store>', meaning: 'a data folder, or postgres://…' },
    to: { type: 'string', value: '<store>', meaning: 'the same; empty, or an earlier try' },
  },
  examples: [
    {
      line: 'telegrep migrate-store --from ./data --to postgres://telegrep@db/telegrep',
      does: 'verified at the end; the same line goes on where it was interrupted',
    },
    {
      line: 'telegrep migrate-store --from postgres://telegrep@db/telegrep --to ./data',
      does: 'and back; TELEGREP_DATABASE_URL and its files hold for an address that is the same',
    },
  ],
  run: async (call) => (await import('../commands/migrate-store.ts')).migrateStore(call),
}

export const keysCreate: Command = {
  name: 'keys create',
  summary: 'make an API key; it works at once and is shown once',
  operands: '',
  takes: [0, 0],
  data: 'made',
  flags: {
    tier: {
      type: 'string',
      value: '<tier>',
      meaning: 'how much may be asked with it: free, pro, unlimited or one of TELEGREP_TIERS',
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
  run: async (call) => (await import('../commands/keys.ts')).createKey(call),
}

export const keysList: Command = {
  name: 'keys list',
  summary: 'list the API keys',
  operands: '',
  takes: [0, 0],
  data: 'needed',
  flags: {},
  examples: [{ line: 'telegrep keys list', does: 'prefixes, tiers, when last used' }],
  run: async (call) => (await import('../commands/keys.ts')).listKeys(call),
}

export const keysRevoke: Command = {
  name: 'keys revoke',
  summary: 'end an API key; servers refuse it within 5 seconds',
  operands: '<key or its prefix>',
  takes: [1, 1],
  data: 'needed',
  flags: {},
  examples: [
    { line: 'telegrep keys revoke tgr_a1B2c3D4', does: 'by the prefix that `keys list` shows' },
  ],
  run: async (call) => (await import('../commands/keys.ts')).revokeKey(call),
}

export const keysRotate: Command = {
  name: 'keys rotate',
  summary: 'give an API key a second secret; the first works until the next',
  operands: '<key or its prefix>',
  takes: [1, 1],
  data: 'needed',
  flags: {},
  examples: [
    {
      line: 'telegrep keys rotate tgr_a1B2c3D4',
      does: 'hand the new key out at leisure, then rotate again: the old one is dead',
    },
  ],
  run: async (call) => (await import('../commands/keys.ts')).rotateKey(call),
}

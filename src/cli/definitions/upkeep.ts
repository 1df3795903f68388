import type { Command } from '../command.ts'

/** Commands for operators: the state of the service, and who may use it. */

export const status: Command = {
  name: 'status',
  summary: 'what is due, late, failing; budget, index lag',
  data: 'needed',
  examples: {
    'telegrep status': 'a page of figures; servers may be running',
    'telegrep status --json': 'for a monitor',
  },
  run: async (call) => (await import('../commands/status.ts')).status(call),
}

export const stats: Command = {
  name: 'stats',
  summary: 'figures of all channels together, or a row for each: pace, views, completeness',
  operands: '[channel…]',
  data: 'needed',
  flags: {
    format: { value: '<sum|csv|excel|ndjson>', meaning: 'together, or a row for each (sum)' },
  },
  examples: {
    'telegrep stats': 'the whole archive; `channels --all` lists the channels',
    'telegrep stats --format csv > channels.csv': 'a row for each channel',
  },
  run: async (call) => (await import('../commands/stats.ts')).stats(call),
}

export const doctor: Command = {
  name: 'doctor',
  summary: 'check integrity, versions, index, disk, clock and source',
  data: 'needed',
  flags: { offline: { meaning: 'do not ask the source' } },
  examples: {
    'telegrep doctor': 'exits with 1 when something is wrong',
    'telegrep doctor --offline --json': 'without asking the platform',
  },
  run: async (call) => (await import('../commands/doctor.ts')).doctor(call),
}

export const migrateStore: Command = {
  name: 'migrate-store',
  summary: 'copy the archive between files and PostgreSQL; no process may be running',
  data: 'untouched',
  flags: {
    from: { value: '<store>', meaning: 'a data folder, or postgres://…' },
    to: { value: '<store>', meaning: 'likewise; empty, or left by an interrupted run' },
  },
  examples: {
    'telegrep migrate-store --from ./data --to postgres://telegrep@db/telegrep':
      'verified at the end; run it again to continue after an interruption',
    'telegrep migrate-store --from postgres://telegrep@db/telegrep --to ./data':
      'and back; password and TLS settings apply if TELEGREP_DATABASE_URL is the same address',
  },
  run: async (call) => (await import('../commands/migrate-store.ts')).migrateStore(call),
}

export const keysCreate: Command = {
  name: 'keys create',
  summary: 'make an API key; it works at once and is shown once',
  data: 'made',
  flags: {
    tier: {
      value: '<tier>',
      meaning: 'how much may be asked with it: free, pro, unlimited or one of TELEGREP_TIERS',
    },
    name: { value: '<name>', meaning: 'whose key it is, for your own list' },
  },
  examples: {
    'telegrep keys create --tier free --name "reading room"': 'a key for a friend',
    'telegrep keys create --tier unlimited --json': 'for a script: {key, prefix, tier}',
  },
  run: async (call) => (await import('../commands/keys.ts')).createKey(call),
}

export const keysList: Command = {
  name: 'keys list',
  summary: 'list the API keys',
  data: 'needed',
  examples: { 'telegrep keys list': 'prefixes, tiers, when last used' },
  run: async (call) => (await import('../commands/keys.ts')).listKeys(call),
}

export const keysRevoke: Command = {
  name: 'keys revoke',
  summary: 'end an API key; servers refuse it within 5 seconds',
  operands: '<key or its prefix>',
  data: 'needed',
  examples: {
    'telegrep keys revoke tgr_a1B2c3D4': 'by the prefix that `keys list` shows',
  },
  run: async (call) => (await import('../commands/keys.ts')).revokeKey(call),
}

export const keysRotate: Command = {
  name: 'keys rotate',
  summary: 'give an API key a second secret; the first works until the next rotation',
  operands: '<key or its prefix>',
  data: 'needed',
  examples: {
    'telegrep keys rotate tgr_a1B2c3D4':
      'hand out the new key, then rotate again to end the old one',
  },
  run: async (call) => (await import('../commands/keys.ts')).rotateKey(call),
}

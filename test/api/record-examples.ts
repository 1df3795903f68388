/**
 * Records a reply of each operation for `/docs` and OpenAPI: `node test/api/record-examples.ts`. Run again after an
 * operation was added or its reply changed; a test checks the recorded replies against the schemas.
 */
import { writeFileSync } from 'node:fs'
import { addressOf } from '../../src/operations/address-of.ts'
import { CATALOGUE } from '../../src/operations/catalogue.ts'
import { startSetting } from '../web/setting.ts'
import { formatted } from './formatted.ts'

/** Inputs for operations whose own example would find nothing here. */
const INPUTS: Readonly<Record<string, Readonly<Record<string, string | number>>>> = {
  search_posts: { q: 'captains lighthouse', limit: 1 },
  list_channels: { q: 'harbour', limit: 1 },
  list_channel_posts: { username: 'harbour_news', limit: 1 },
  get_live_channel: { username: 'showcase', limit: 1 },
  list_changes: { limit: 1 },
  suggest: { q: 'light' },
}
const NAMES = { username: 'harbour_news', slug: '200' }
const BASE = 'https://telegrep.example'
/** How many items of a list of objects are kept: enough to see what they are. */
const MOST = 2

function shortened(value: unknown): unknown {
  if (typeof value === 'string') {
    return value
      .replace(/^(https:\/\/cdn\d\.telesco\.pe\/file\/)[\w-]{40,}/, '$1photo')
      .replace(/^[\w-]{200,}$/, (long) => `${long.slice(0, 40)}…`)
  }
  if (Array.isArray(value)) {
    const isObjects = value.some((item) => typeof item === 'object')
    return (isObjects ? value.slice(0, MOST) : value).map(shortened)
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner)]))
}

// With the default quotas, not those of the tests.
await using service = await startSetting({ TELEGREP_TIERS: '' })
const recorded: Record<string, { request: string; reply: unknown }> = {}
for (const { name, path, examples } of CATALOGUE) {
  const given = INPUTS[name] ?? examples[0]?.input ?? {}
  const input = Object.fromEntries(
    Object.entries(given).map(([key, value]) => [
      key,
      key in NAMES && !(name in INPUTS) ? NAMES[key as keyof typeof NAMES] : value,
    ]),
  )
  const request = `/v1${addressOf(path, input)}`
  const reply = await fetch(`${service.url}${request}`, { headers: { accept: 'application/json' } })
  const text = (await reply.text()).replaceAll(service.url, BASE)
  if (reply.status !== 200) throw new Error(`${request}: ${text}`)
  recorded[name] = { request, reply: shortened(JSON.parse(text)) }
}
const file = new URL('../../src/http/pages/assets/examples.json', import.meta.url)
writeFileSync(file, await formatted(JSON.stringify(recorded), 'json'))

import { lookup } from 'node:dns/promises'
import { AppError } from '../model/errors.ts'
import { parseJson } from '../model/parse-json.ts'
import { WEBHOOK_BODIES, type QuietHours, type Sinks, type Watch } from '../model/watch.ts'
import { hasFilter, searchInput } from '../operations/search-input.ts'
import { suggest } from '../text/suggest.ts'
import { parseZone } from '../text/zone.ts'
import { isPrivateLiteral, isPublicAddress } from './private-address.ts'
import { makeFeedToken } from './secrets.ts'
import { EVERYTHING, NOT_WATCHED } from './watch-query.ts'
import { makeWebhookSecret } from './webhook.ts'

/** A watch as an operator writes it, on the command line or in a file: what to search for, whom to tell, and how. */
export type Definition = Readonly<Record<string, unknown>>

export const SINKS = ['webhook', 'command', 'telegram', 'email', 'feed'] as const
const OPTIONS = [
  'name',
  'everything',
  'body',
  'allow_private',
  'once_per_story',
  'edits',
  'deletions',
  'digest',
  'quiet',
] as const
/** What a watch has besides the parameters of a search. */
export const OWN_WORDS: readonly string[] = [...SINKS, ...OPTIONS]
const PARAMETERS = Object.keys(searchInput.shape).filter(
  (name) => !(NOT_WATCHED as readonly string[]).includes(name),
)

export type DefinedWatch = Pick<Watch, 'name' | 'query' | 'sinks' | 'options'>

/** Throws `invalid_parameter` with what was expected. The secrets of a watch that is replaced are kept. */
export async function readDefinition(
  given: Definition,
  before: Sinks | undefined,
): Promise<DefinedWatch> {
  const known = [...OWN_WORDS, ...PARAMETERS]
  const unknown = Object.keys(given).find((key) => !known.includes(key))
  if (unknown !== undefined) {
    const near = suggest(unknown, known)
    refuse(
      `there is no ${unknown} of a watch${near === undefined ? '' : `, did you mean ${near}?`}`,
    )
  }
  return {
    name: nameOf(given['name']),
    query: queryOf(given),
    sinks: await sinksOf(given, before ?? {}),
    options: {
      oncePerStory: isOn(given, 'once_per_story'),
      edits: isOn(given, 'edits'),
      deletions: isOn(given, 'deletions'),
      digestMinutes: digestOf(given['digest']),
      quiet: quietOf(given['quiet'], given['tz']),
    },
  }
}

/** To watch every post, `everything` has to be given: a forgotten query must not report everything. */
function queryOf(given: Definition): Watch['query'] {
  const query: Record<string, string> = Object.fromEntries(
    PARAMETERS.flatMap((name) => (given[name] === undefined ? [] : [[name, textOf(given[name])]])),
  )
  const isNarrow = query['q'] !== undefined || hasFilter(query)
  if (isOn(given, 'everything')) {
    if (isNarrow) refuse('expected everything alone, or a query and filters; found both')
    return { ...query, ...EVERYTHING }
  }
  if (isNarrow) return query
  refuse(
    'expected words to look for, or a filter such as --channel; --everything tells every post that arrives',
  )
}

/** What is neither on nor off is refused: `"yes"` in a file would be taken for no. */
function isOn(given: Definition, name: string): boolean {
  const value = given[name]
  if (value === undefined || typeof value === 'boolean') return value === true
  refuse(`expected ${name} to be true or false; found ${shown(value)}`)
}

function refuse(detail: string): never {
  throw new AppError('invalid_parameter', detail)
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(',')
  return String(value)
}

function nameOf(name: unknown): string {
  if (typeof name === 'string' && /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u.test(name)) return name
  refuse(`expected a name of letters, digits, dots, - and _, such as storms; found ${shown(name)}`)
}

async function sinksOf(given: Definition, before: Sinks): Promise<Sinks> {
  const { webhook, command, telegram, email } = given
  const sinks: Sinks = {
    ...(webhook !== undefined && { webhook: await webhookOf(given, before.webhook) }),
    ...(command !== undefined && { command: { argv: argvOf(command) } }),
    ...(telegram !== undefined && { telegram: { chat: chatOf(telegram) } }),
    ...(email !== undefined && { email: { to: addressOf(email) } }),
    ...(isOn(given, 'feed') && { feed: before.feed ?? { token: makeFeedToken() } }),
  }
  if (Object.keys(sinks).length > 0) return sinks
  refuse('expected whom to tell: a webhook, command, telegram, email or feed')
}

async function webhookOf(
  given: Definition,
  before: Sinks['webhook'],
): Promise<NonNullable<Sinks['webhook']>> {
  const { webhook: url, body = 'standard' } = given
  const allowPrivate = isOn(given, 'allow_private')
  const kind = WEBHOOK_BODIES.find((name) => name === body)
  if (!kind) refuse(`expected a body of ${WEBHOOK_BODIES.join(' or ')}; found ${shown(body)}`)
  if (typeof url !== 'string' || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    refuse('expected a webhook with an http or https address')
  if (!allowPrivate && (await isPrivate(new URL(url).hostname)))
    refuse('the webhook’s address is private; --allow-private lets it be told all the same')
  const secret = before?.url === url ? before.secret : makeWebhookSecret()
  return { url, secret, body: kind, allowPrivate }
}

/** Only for an early error message: each connection is checked again. A name that cannot be resolved now may be later. */
async function isPrivate(hostname: string): Promise<boolean> {
  if (isPrivateLiteral(hostname)) return true
  const found = await lookup(hostname, { all: true }).catch(() => [])
  return found.some(({ address }) => !isPublicAddress(address))
}

/** Splits at spaces; an argument with spaces requires the form of a JSON list. */
function argvOf(command: unknown): readonly string[] {
  const list = typeof command === 'string' ? listOf(command) : command
  const isList = Array.isArray(list) && list.every((word) => typeof word === 'string')
  if (isList && list.length > 0 && list[0] !== '') return list as string[]
  refuse('expected a program and its arguments, between spaces or as a JSON list')
}

function listOf(command: string): unknown {
  return command.trimStart().startsWith('[')
    ? parseJson(command)
    : command.split(/\s+/).filter((word) => word !== '')
}

function chatOf(chat: unknown): string {
  const text = textOf(chat)
  if (/^(?:-?\d{1,20}|@[A-Za-z]\w{3,31})$/.test(text)) return text
  refuse(`expected the number of a chat, or the @name of a channel; found ${shown(chat)}`)
}

function addressOf(email: unknown): string {
  if (typeof email === 'string' && /^[^\s@<>,;"]{1,64}@[^\s@<>,;"]{1,250}$/.test(email))
    return email
  refuse(`expected an e-mail address; found ${shown(email)}`)
}

function digestOf(digest: unknown): number | null {
  if (digest === undefined) return null
  const [, count, unit] = /^(\d{1,4})(m|h)$/.exec(textOf(digest)) ?? []
  const minutes = Number(count) * (unit === 'h' ? 60 : 1)
  if (minutes >= 1 && minutes <= 1440) return minutes
  refuse(`expected a digest of 1m to 24h, such as 30m; found ${shown(digest)}`)
}

function quietOf(quiet: unknown, tz: unknown): QuietHours | null {
  if (quiet === undefined) return null
  const [, ...parts] = /^(\d\d):(\d\d)-(\d\d):(\d\d)$/.exec(textOf(quiet)) ?? []
  const [fromH = 99, fromM = 99, toH = 99, toM = 99] = parts.map(Number)
  const zone = parseZone(tz === undefined ? 'UTC' : textOf(tz))
  if (zone === undefined)
    refuse(`expected tz with a zone such as Europe/Berlin; found ${shown(tz)}`)
  const [from, to] = [fromH * 60 + fromM, toH * 60 + toM]
  if (fromM < 60 && toM < 60 && fromH < 24 && toH < 24 && from !== to) return { from, to, zone }
  refuse(`expected quiet hours such as 22:00-07:00; found ${shown(quiet)}`)
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 80)
}

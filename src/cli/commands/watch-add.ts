import { createApp, type App } from '../../app.ts'
import { lockShared } from '../../store-lock.ts'
import { AppError } from '../../model/errors.ts'
import { isRecord } from '../../model/parse-json.ts'
import type { Watch } from '../../model/watch.ts'
import { searchPosts } from '../../operations/search-posts.ts'
import type { Warning } from '../../operations/warnings.ts'
import { OperatorError } from '../../operator-error.ts'
import { standingQuery } from '../../search/percolator/percolator.ts'
import {
  OWN_WORDS,
  SINKS,
  readDefinition,
  type DefinedWatch,
  type Definition,
} from '../../watch/definition.ts'
import { canRun } from '../../watch/command.ts'
import { feedUrl } from '../../watch/secrets.ts'
import { NOT_WATCHED, readWatch } from '../../watch/watch-query.ts'
import { readGiven } from '../caller-folder.ts'
import { UsageError, type CommandCall, type Flags } from '../command.ts'
import { explain, explainMessage } from '../explain.ts'
import { plural } from '../format.ts'
import { nextCommand } from '../invocation.ts'
import { wordsOf } from '../operands.ts'
import { flagOf, inputOf, queryFlags } from '../operation-flags.ts'

const NO_SINK =
  'expected whom to tell: --webhook <address>, --command <program args>, --telegram <chat>, --email <address> or --feed, such as --webhook https://example.com/storms'

/** The flags of a search that make sense for a watch. */
export function watchFlags(): Flags {
  const left = new Set(['all', 'format', 'url', 'key', ...NOT_WATCHED.map(flagOf)])
  return Object.fromEntries(
    Object.entries(queryFlags('search_posts')).filter(([name]) => !left.has(name)),
  )
}

export async function addWatch(call: CommandCall): Promise<void> {
  const { flags } = call
  if (flags['name'] === undefined)
    throw new UsageError('expected --name <name>, such as --name storms')
  if (SINKS.every((name) => flags[name] === undefined)) throw new UsageError(NO_SINK)
  const definition = {
    ...wordsOf(call),
    ...inputOf(searchPosts, flags),
    ...Object.fromEntries(
      OWN_WORDS.flatMap((name) =>
        flags[flagOf(name)] === undefined ? [] : [[name, flags[flagOf(name)]]],
      ),
    ),
  }
  await using app = await createApp(call.config, call.secrets, { log: 'warn', signal: call.signal })
  await using _ = await lockShared(app.store)
  const ready = await prepare(app, definition)
  if (ready.before && flags['replace'] !== true) {
    const { name } = ready.defined
    throw new UsageError(`there is a watch ${name} already; --replace changes it`)
  }
  const watch = await save(app, ready)
  await tell(call, app, watch, ready)
}

/** A list of definitions, or an object with a list under `watches`. All are parsed before the first is saved. */
export async function loadWatches(call: CommandCall): Promise<void> {
  const [file = ''] = call.operands
  const definitions = await definitionsIn(call, file)
  await using app = await createApp(call.config, call.secrets, { log: 'warn', signal: call.signal })
  await using _ = await lockShared(app.store)
  const names = new Set<string>()
  const all = []
  for (const [i, definition] of definitions.entries()) {
    const ready = await prepare(app, definition).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.status !== 400) throw error
      const which = typeof definition['name'] === 'string' ? definition['name'] : `number ${i + 1}`
      const detail = `${file}, watch ${which}: ${explain(error, call)}`
      throw new AppError(error.code, detail, { cause: error })
    })
    const { name } = ready.defined
    if (names.has(name)) throw new OperatorError(`${file} has two watches named ${name}`)
    names.add(name)
    all.push(ready)
  }
  for (const ready of all) await tell(call, app, await save(app, ready), ready)
  if (!call.json) call.print.note(`${plural(all.length, 'watch', 'watches')} of ${file}.`)
}

async function definitionsIn(call: CommandCall, file: string): Promise<readonly Definition[]> {
  const text = (await readGiven(call, file)).toString()
  let given: unknown
  try {
    // Editors on Windows write a byte order mark before the text.
    given = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    throw new OperatorError(`${file} is no JSON: ${(error as Error).message}`, { cause: error })
  }
  const list = Array.isArray(given) ? given : (given as { watches?: unknown } | null)?.watches
  if (Array.isArray(list) && list.every(isRecord)) return list
  throw new OperatorError(`${file} holds no list of watches`)
}

interface Ready {
  readonly defined: DefinedWatch
  readonly before: Watch | undefined
  readonly warnings: readonly Warning[]
}

/** Problems are reported in the words of a search. */
async function prepare({ store, context, clock }: App, definition: Definition): Promise<Ready> {
  const { name } = definition
  const before = typeof name === 'string' ? await store.watches.get(name) : undefined
  const defined = await readDefinition(definition, before?.sinks)
  const search = await readWatch(context, defined.query)
  // Refuses a query without anything to search for.
  standingQuery(search.query, clock.now())
  return { defined, before, warnings: search.warnings }
}

async function save({ store, clock }: App, { defined, before }: Ready): Promise<Watch> {
  const { last } = await store.events.bounds()
  const { createdAt, since } = before ?? { createdAt: clock.now(), since: last }
  return store.watches.put({ ...defined, createdAt, since })
}

/** New secrets are shown only this once. */
async function tell(call: CommandCall, app: App, watch: Watch, { before, warnings }: Ready) {
  const { print, json } = call
  const { name, sinks } = watch
  const isNew = (kind: 'webhook' | 'feed') =>
    JSON.stringify(before?.sinks[kind]) !== JSON.stringify(sinks[kind])
  const secret = sinks.webhook && isNew('webhook') ? sinks.webhook.secret : undefined
  const feeds =
    sinks.feed && isNew('feed')
      ? ['rss', 'json'].map((ending) =>
          feedUrl(app.config.publicUrl, name, sinks.feed!.token, ending),
        )
      : []
  for (const warning of warnings) print.note(`${name}: ${explainMessage(warning, call)}`)
  if (json) {
    print.json({ name, secret: secret ?? null, feeds })
    return
  }
  print.note(
    `${name}: ${before ? 'changed' : 'saved'}; a running server tells what it finds from now on.`,
  )
  if (secret !== undefined) print.line(secret)
  if (secret !== undefined)
    print.note('This secret verifies the signatures of the webhook, and is shown once.')
  for (const feed of feeds) print.line(feed)
  if (feeds.length > 0) print.note('Whoever knows a feed’s address can read it; it is shown once.')
  const { bot, mail } = app.config.senders
  if (sinks.telegram && bot.token === null) print.note('TELEGREP_BOT_TOKEN_FILE is not set yet.')
  if (sinks.email && mail === null) print.note('TELEGREP_SMTP_URL is not set yet.')
  const { argv } = sinks.command ?? {}
  if (argv && !(await canRun(argv)))
    print.note(
      `There is no program ${argv[0]} here that can be run; the server runs it where it is.`,
    )
  print.note(`Try it: ${nextCommand(call, `watch test ${name}`)}`)
}

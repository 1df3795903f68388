import { ApiError } from '../client/client.ts'
import { ConfigError } from '../config.ts'
import { AppError, type ErrorItem } from '../model/errors.ts'
import { apiWords, reworded, type Hint } from '../model/hint.ts'
import { OperatorError } from '../operator-error.ts'
import { IndexRefusedError } from '../search/search-index.ts'
import { NotFoundError, UsageError, type Exit } from './command.ts'
import { nextCommand, type Named } from './invocation.ts'
import { isAbort } from './is-abort.ts'
import { flagOf } from './read-line.ts'

const EXPECTED = [UsageError, NotFoundError, ConfigError, OperatorError]

/** What went wrong, for people: a sentence for expected failures, a stack trace for a bug. */
export function explain(error: unknown, call?: Named): string {
  const next = (command: string) => nextCommand(call, command)
  // A server rebuilds the index by itself, but with local files there may be no server running.
  if (error instanceof AppError && error.extra['reason'] === 'index_rebuilding')
    return `the index cannot be searched before it is built from the archive: ${next('serve')} does it, or ${next('reindex')} at once`
  if (error instanceof IndexRefusedError)
    return `${error.message}; correct its settings, templates or mappings, then run ${next('reindex')}`
  if (error instanceof AppError)
    return (
      explainItems(error.errors, call) ??
      explainMessage({ code: error.code, detail: error.message, hint: error.hint }, call)
    )
  if (error instanceof ApiError) {
    const { code, message, problem } = error
    if (code === 'unknown') return `${message}, but not as Telegrep does`
    const items = Array.isArray(problem['errors']) ? (problem['errors'] as ErrorItem[]) : []
    const hint = problem['hint'] as Hint | undefined
    return `${explainItems(items, call) ?? explainMessage({ code, detail: message, hint }, call)} (${code})`
  }
  if (EXPECTED.some((kind) => error instanceof kind)) return asTyped((error as Error).message, call)
  if (!(error instanceof Error)) return String(error)
  // What was being written is not in the error; it is what the command was to write.
  if (isDiskFull(error)) return 'the disk is full: what was to be written is not complete'
  // The message of a system error already says what and where: EACCES: permission denied, open '…'
  return 'code' in error ? error.message : (error.stack ?? error.message)
}

const SQLITE_FULL = 13

function isDiskFull(error: Error & { readonly code?: unknown; readonly errcode?: unknown }) {
  return error.code === 'ENOSPC' || error.errcode === SQLITE_FULL
}

/** A variable at the start of a sentence is shown as the flag that was typed. */
function asTyped(message: string, call: Named | undefined): string {
  return message.replaceAll(/^( *)(TELEGREP_[A-Z_]+)/gm, (_, space: string, name: string) => {
    const flag = flagOf(name)
    return `${space}${typeof call?.flags[flag] === 'string' ? `--${flag}` : name}`
  })
}

const NEEDS_KEY = 'this server needs a key: give it with --key or TELEGREP_KEY'

/** A warning or an error: its code, its message and the hint at the end of it. */
interface Message {
  readonly code: string
  readonly detail: string
  readonly hint?: Hint | undefined
}

/**
 * A warning or an error whose hint names commands and flags instead of what the API has. Commands that need local data are
 * not suggested to those who query a server.
 */
export function explainMessage(message: Message, call?: Named): string {
  if (message.code === 'key_required') return NEEDS_KEY
  return reworded(message, (hint) => cliWords(hint, message.code, call))
}

function cliWords(hint: Hint, code: string, call?: Named): string {
  if ('parameter' in hint) {
    const { parameter, value, does } = hint
    return `${flagFor(parameter)}${value === undefined ? '' : ` ${value}`} ${does}`
  }
  if (!('operation' in hint)) return apiWords(hint)
  const next = (command: string) => nextCommand(call, command)
  const isRemote = typeof call?.url === 'string'
  const { operation, input, does } = hint
  const { username, slug } = input
  switch (operation) {
    case 'get_live_channel': {
      const live = `${next(`live ${username}`)} ${does}`
      return code === 'channel_not_indexed' && !isRemote
        ? `${next(`add ${username}`)} indexes it, ${live}`
        : live
    }
    case 'get_post':
      return `${next(`post ${username}/${slug}`)} ${does}`
    case 'get_channel':
      return `${next(`channel ${username}`)} ${does}`
    case 'list_channels':
      return `${next('channels')} ${does}`
    case 'list_channel_posts':
      return isRemote ? apiWords(hint) : `${next('export <channel>')} ${does}`
    case 'list_languages':
      return apiWords(hint)
  }
}

/** The same for programs: the members of a problem document, as far as there are any. */
export function describeError(error: unknown, exit: Exit, call?: Named): object {
  if (error instanceof AppError) {
    const { code, status, message, errors, extra } = error
    return { code, status, detail: message, errors, ...extra }
  }
  if (error instanceof ApiError && error.code !== 'unknown') {
    return { code: error.code, status: error.status, detail: error.message, ...error.problem }
  }
  return { code: exit, detail: explain(error, call) }
}

/** Parameters that are typed without a flag: `search <query…>`, `post <channel>/<post>`. */
const OPERANDS = ['q', 'username', 'slug']

/** Which flag was wrong, why, and what would be accepted. */
function explainItems(items: readonly ErrorItem[], call?: Named): string | undefined {
  if (items.length === 0) return undefined
  return items
    .map((item) => {
      const { parameter, code, suggestion } = item
      const isFlag = parameter !== undefined && !OPERANDS.includes(parameter)
      const flag = isFlag ? `${flagFor(parameter)}: ` : ''
      const said = explainMessage(item, call)
      if (suggestion === undefined) return `${flag}${said}`
      // Of a query that cannot be read, what is left may be just the value that was wrong.
      const hint = code === 'invalid_query' ? `try: ${suggestion}` : `did you mean ${suggestion}?`
      return `${flag}${said}; ${hint}`
    })
    .join('\n  ')
}

function flagFor(parameter: string): string {
  return `--${parameter.replaceAll('_', '-')}`
}

/** Something that does not exist has its own exit code, so that scripts can tell. */
export function exitFor(error: unknown, signal: AbortSignal): Exit {
  if (isAbort(error, signal)) return 'interrupted'
  // Something else answers at that address, or a proxy in between: nothing is known to be missing.
  if (error instanceof ApiError && error.code === 'unknown') return 'failed'
  if (error instanceof AppError || error instanceof ApiError) {
    if (error.status === 400) return 'usage'
    if (error.status === 404 || error.status === 410) return 'not_found'
  }
  if (error instanceof UsageError || error instanceof ConfigError) return 'usage'
  return error instanceof NotFoundError ? 'not_found' : 'failed'
}

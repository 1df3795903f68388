import { ApiError } from '../client/client.ts'
import { ConfigError } from '../config.ts'
import { AppError, type ErrorItem } from '../model/errors.ts'
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
      explainWarning({ code: error.code, detail: error.message }, call)
    )
  if (error instanceof ApiError) {
    const { code, message, problem } = error
    if (code === 'unknown') return `${message}, but not as Telegrep does`
    const items = Array.isArray(problem['errors']) ? (problem['errors'] as ErrorItem[]) : []
    return `${explainItems(items, call) ?? explainWarning({ code, detail: message }, call)} (${code})`
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
const OLDER_POSTS = 'older posts are at /v1/channels/{username}/posts'

/**
 * A warning or an error, reworded: the API refers to its own addresses, the command line to commands. Commands that need
 * local data are not suggested to those who query a server.
 */
export function explainWarning(
  { code, detail }: { readonly code: string; readonly detail: string },
  call?: Named,
): string {
  const next = (command: string) => nextCommand(call, command)
  const isRemote = typeof call?.url === 'string'
  const said = detail
    .replace(/\/v1\/channels\/(\w+)\/live reads it now/, (_, name: string) =>
      code === 'channel_not_indexed' && !isRemote
        ? `${next(`add ${name}`)} indexes it, ${next(`live ${name}`)} reads it now`
        : `${next(`live ${name}`)} reads it now`,
    )
    .replace(
      /the post itself is at \/v1\/channels\/(\w+)\/posts\/(\d+)/,
      (_, name: string, number: string) =>
        `${next(`post ${name}/${number}`)} shows the post itself`,
    )
    .replace(
      /the channel is at \/v1\/channels\/(\w+)/,
      (_, name: string) => `${next(`channel ${name}`)} describes it`,
    )
    .replace('`exclude_channel`', '--exclude-channel')
    .replace('send a key as `Authorization: Bearer <key>`', NEEDS_KEY)
  // Only this one names an order; elsewhere such words are a quotation.
  if (code === 'all_words_required') return said.replaceAll(/\bsort=(\w+)/g, '--sort $1')
  return isRemote ? said : said.replace(OLDER_POSTS, `${next('export <channel>')} has older posts`)
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
    .map(({ parameter, code, detail, suggestion }) => {
      const isFlag = parameter !== undefined && !OPERANDS.includes(parameter)
      const flag = isFlag ? `--${parameter.replaceAll('_', '-')}: ` : ''
      const said = detail.replace(
        '/v1/channels?q= finds',
        () => `${nextCommand(call, 'channels')} finds`,
      )
      if (suggestion === undefined) return `${flag}${said}`
      // Of a query that cannot be read, what is left may be just the value that was wrong.
      const hint = code === 'invalid_query' ? `try: ${suggestion}` : `did you mean ${suggestion}?`
      return `${flag}${said}; ${hint}`
    })
    .join('\n  ')
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

import { ApiError } from '../client/client.ts'
import { ConfigError } from '../config.ts'
import { AppError, type ErrorItem } from '../model/errors.ts'
import { OperatorError } from '../operator-error.ts'
import { NotFoundError, UsageError, type Exit } from './command.ts'
import { nextCommand, type Named } from './invocation.ts'
import { flagOf } from './read-line.ts'

const EXPECTED = [UsageError, NotFoundError, ConfigError, OperatorError]

/** What went wrong, for a person: a sentence for what can be expected, a stack trace for a fault of ours. */
export function explain(error: unknown, call?: Named): string {
  const next = (command: string) => nextCommand(call, command)
  if (error instanceof AppError && error.code === 'channel_not_indexed') {
    const [said] = error.message.split(';')
    return `${said}; ${next('add')} indexes a channel, ${next('live')} reads one now`
  }
  // A server is at it; who asks the files of a machine may have none.
  if (error instanceof AppError && error.extra['reason'] === 'index_rebuilding')
    return `the index cannot be searched before it is built from the archive: ${next('serve')} does it, or ${next('reindex')} at once`
  if (error instanceof AppError)
    return (
      explainItems(error.errors) ??
      explainWarning({ code: error.code, detail: error.message }, call)
    )
  if (error instanceof ApiError) {
    const { code, message, problem } = error
    const items = Array.isArray(problem['errors']) ? (problem['errors'] as ErrorItem[]) : []
    return `${explainItems(items) ?? explainWarning({ code, detail: message }, call)} (${code})`
  }
  if (EXPECTED.some((kind) => error instanceof kind)) return asTyped((error as Error).message, call)
  if (!(error instanceof Error)) return String(error)
  // An error of the system says what and where in its message: EACCES: permission denied, open '…'
  return 'code' in error ? error.message : (error.stack ?? error.message)
}

/** What was typed as a flag is told as one, where a sentence begins with its variable. */
function asTyped(message: string, call: Named | undefined): string {
  return message.replaceAll(/^( *)(TELEGREP_[A-Z_]+)/gm, (_, space: string, name: string) => {
    const flag = flagOf(name)
    return `${space}${typeof call?.flags[flag] === 'string' ? `--${flag}` : name}`
  })
}

const OLDER_POSTS = 'older posts are at /v1/channels/{username}/posts'

/**
 * A warning, or what went wrong: the API leads to its own addresses, the command line to commands. Those that need the data
 * at hand are not for one who asks a server.
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
    .replace('`exclude_channel`', '--exclude-channel')
  return isRemote ? said : said.replace(OLDER_POSTS, `${next('export <channel>')} has older posts`)
}

/** The same for programs: a problem document's members, as far as there are any. */
export function describeError(error: unknown, exit: Exit, call?: Named): object {
  if (error instanceof AppError) {
    const { code, status, message, errors, extra } = error
    return { code, status, detail: message, errors, ...extra }
  }
  if (error instanceof ApiError) {
    return { code: error.code, status: error.status, detail: error.message, ...error.problem }
  }
  return { code: exit, detail: explain(error, call) }
}

/** What is typed without a flag: `search <query…>`, `post <channel>/<post>`. */
const OPERANDS = ['q', 'username', 'slug']

/** What was wrong with which flag, and what would be right. */
function explainItems(items: readonly ErrorItem[]): string | undefined {
  if (items.length === 0) return undefined
  return items
    .map(({ parameter, detail, suggestion }) => {
      const isFlag = parameter !== undefined && !OPERANDS.includes(parameter)
      const flag = isFlag ? `--${parameter.replaceAll('_', '-')}: ` : ''
      return `${flag}${detail}${suggestion === undefined ? '' : `; did you mean ${suggestion}?`}`
    })
    .join('\n  ')
}

/** What does not exist has an exit code of its own, so that scripts can tell. */
export function exitFor(error: unknown, signal: AbortSignal): Exit {
  if (signal.aborted && isAbort(error, signal)) return 'interrupted'
  if (error instanceof AppError || error instanceof ApiError) {
    if (error.status === 400) return 'usage'
    if (error.status === 404 || error.status === 410) return 'not_found'
  }
  if (error instanceof UsageError || error instanceof ConfigError) return 'usage'
  return error instanceof NotFoundError ? 'not_found' : 'failed'
}

/** An error that happens to come after Ctrl-C is still told. */
function isAbort(error: unknown, signal: AbortSignal): boolean {
  if (error === signal.reason) return true
  if (!(error instanceof Error)) return false
  return error.name === 'AbortError' || error.cause === signal.reason
}

import { parseArgs } from 'node:util'
import { ConfigError, VARIABLES, readConfig } from '../config.ts'
import { ApiError } from '../client/client.ts'
import { AppError } from '../model/errors.ts'
import type { ErrorItem } from '../model/errors.ts'
import { suggest } from '../text/suggest.ts'
import { COMMANDS } from './commands.ts'
import { EXIT_CODES, UsageError } from './command.ts'
import type { Command, ExitCode, Flag } from './command.ts'
import { generalHelp, commandHelp } from './help.ts'
import { createPrinter } from './print.ts'
import { VERSION } from '../version.ts'

type Environment = Readonly<Record<string, string | undefined>>

const GLOBAL_FLAGS: Readonly<Record<string, Flag>> = {
  help: { type: 'boolean', short: 'h', meaning: 'show this help' },
  json: { type: 'boolean', meaning: 'print JSON' },
  url: { type: 'string', value: '<address>', meaning: 'ask this server instead of the local data' },
  'no-color': { type: 'boolean', meaning: 'no colours' },
}

/** Runs one command line and resolves to its exit code; never throws. */
export async function runCli(
  argv: readonly string[],
  env: Environment,
  signal: AbortSignal,
): Promise<ExitCode> {
  const print = createPrinter({
    color: env['NO_COLOR'] === undefined && !argv.includes('--no-color'),
  })
  try {
    if (argv[0] === '--version' || argv[0] === '-V') {
      print.line(VERSION)
      return EXIT_CODES.ok.code
    }
    const command = findCommand(argv)
    if (!command) {
      const asked = argv[0] === undefined || ['help', '--help', '-h'].includes(argv[0])
      if (!asked) throw unknownCommand(argv[0] as string)
      print.line(generalHelp(COMMANDS, print.style))
      return EXIT_CODES.ok.code
    }
    const { values, positionals } = parse(command, argv.slice(command.name.split(' ').length))
    if (values['help'] === true) {
      print.line(commandHelp(command, GLOBAL_FLAGS, print.style))
      return EXIT_CODES.ok.code
    }
    const { config, secrets } = readConfig({ ...env, ...asEnvironment(values, command) })
    return await command.run({
      operands: positionals,
      flags: values,
      json: values['json'] === true,
      url: typeof values['url'] === 'string' ? values['url'] : null,
      config,
      secrets,
      print,
      signal,
    })
  } catch (error) {
    print.progress(undefined)
    if (signal.aborted) return EXIT_CODES.interrupted.code
    print.note(`${print.style.red('telegrep:')} ${explain(error)}`)
    return isUsage(error) ? EXIT_CODES.usage.code : EXIT_CODES.failed.code
  }
}

function findCommand(argv: readonly string[]): Command | undefined {
  const words = argv[0] === 'help' ? argv.slice(1) : argv
  return (
    COMMANDS.find((command) => command.name === words.slice(0, 2).join(' ')) ??
    COMMANDS.find((command) => command.name === words[0])
  )
}

function unknownCommand(word: string): UsageError {
  const near = suggest(
    word,
    COMMANDS.map((command) => command.name),
  )
  const hint = near === undefined ? 'see telegrep --help' : `did you mean ${near}?`
  return new UsageError(`there is no command ${JSON.stringify(word)}; ${hint}`)
}

/** Every variable is a flag too: TELEGREP_CRAWL_RATE is --crawl-rate. */
function variableFlags(): Record<string, Flag> {
  return Object.fromEntries(
    Object.entries(VARIABLES)
      .filter(([name]) => name !== 'TELEGREP_SECRET')
      .map(([name, variable]) => [
        name.slice('TELEGREP_'.length).toLowerCase().replaceAll('_', '-'),
        { type: 'string', meaning: variable.meaning } as const,
      ]),
  )
}

function parse(command: Command, args: readonly string[]) {
  const flags = { ...variableFlags(), ...GLOBAL_FLAGS, ...command.flags }
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [
      name,
      flag.short === undefined ? { type: flag.type } : { type: flag.type, short: flag.short },
    ]),
  )
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    const unknown = /Unknown option '--?([^']+)'/.exec((error as Error).message)?.[1]
    const near = unknown === undefined ? undefined : suggest(unknown, Object.keys(flags))
    const hint =
      near === undefined ? `see telegrep ${command.name} --help` : `did you mean --${near}?`
    const first = (error as Error).message.split('. ')[0] as string
    throw new UsageError(`${first.charAt(0).toLowerCase()}${first.slice(1)}; ${hint}`, {
      cause: error,
    })
  }
}

/** Flags that are variables, unless the command means something of its own by that name. */
function asEnvironment(values: Readonly<Record<string, unknown>>, command: Command): Environment {
  return Object.fromEntries(
    Object.keys(variableFlags())
      .filter((flag) => typeof values[flag] === 'string' && !(flag in command.flags))
      .map((flag) => [
        `TELEGREP_${flag.toUpperCase().replaceAll('-', '_')}`,
        values[flag] as string,
      ]),
  )
}

function explain(error: unknown): string {
  if (error instanceof UsageError || error instanceof ConfigError) return error.message
  if (error instanceof AppError) return explainItems(error.errors) ?? error.message
  if (error instanceof ApiError) return `${error.message} (${error.code})`
  if (error instanceof Error && (error.cause !== undefined || 'code' in error)) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** What was wrong with which flag, and what would be right. */
function explainItems(items: readonly ErrorItem[]): string | undefined {
  if (items.length === 0) return undefined
  return items
    .map(({ parameter, detail, suggestion }) => {
      const flag =
        parameter === undefined || parameter === 'q' ? '' : `--${parameter.replaceAll('_', '-')}: `
      return `${flag}${detail}${suggestion === undefined ? '' : `; did you mean ${suggestion}?`}`
    })
    .join('\n  ')
}

function isUsage(error: unknown): boolean {
  if (error instanceof AppError || error instanceof ApiError) return error.status === 400
  return error instanceof UsageError || error instanceof ConfigError
}

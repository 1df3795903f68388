import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig, type Environment } from '../config.ts'
import { suggest } from '../text/suggest.ts'
import { VARIABLES, defaultOf, type Variable } from '../variables.ts'
import { callerFolder } from './caller-folder.ts'
import {
  UsageError,
  flagsOf,
  operandCounts,
  type Command,
  type CommandCall,
  type Flag,
  type Flags,
} from './command.ts'
import { shellQuoted } from './format.ts'
import { TELEGREP } from './invocation.ts'

type Values = Readonly<Record<string, string | boolean | undefined>>

export const GLOBAL_FLAGS: Flags = {
  json: { meaning: 'print JSON' },
  'no-color': { meaning: 'no colours' },
  help: { short: 'h', meaning: 'show this help' },
}

/** Placeholders that the help shows for the values of variables. */
const VALUES: Readonly<Record<string, string>> = {
  data: '<folder>',
  host: '<address>',
  port: '<port>',
  'admin-port': '<port>',
  'crawl-rate': '<per second>',
  'crawl-concurrency': '<number>',
}

/**
 * Every variable is also a flag: TELEGREP_CRAWL_RATE is --crawl-rate. Except secrets, because other users can see arguments.
 */
export const VARIABLE_FLAGS: Flags = Object.fromEntries(
  Object.entries(VARIABLES)
    .filter(([name]) => name !== 'TELEGREP_SECRET' && name !== 'TELEGREP_KEY')
    .map(([name, variable]): [string, Flag] => {
      const flag = flagOf(name)
      const meaning = `${variable.meaning} (${defaultOf(variable)})`
      return [flag, { value: VALUES[flag] ?? '<value>', meaning }]
    }),
)

/** Parses and checks what follows a command's name: flags, operands and configuration, before anything is done. */
export async function readLine(
  command: Command,
  args: readonly string[],
  env: Environment,
): Promise<'help' | Omit<CommandCall, 'print' | 'signal'>> {
  const own = await flagsOf(command)
  const { values, positionals } = parse(command, own, args)
  if (values['help'] === true) return 'help'
  checkOperands(command, positionals)
  const url = 'url' in own ? urlOf(values) : null
  const folder = callerFolder(env, process.cwd())
  const typed = asEnvironment(values, own, folder)
  const { config, secrets } = readConfig({ ...env, ...typed }, (name) =>
    name in typed ? `--${flagOf(name)}` : name,
  )
  const json = values['json'] === true
  return { operands: positionals, flags: values, json, url, folder, config, secrets }
}

function parse(
  command: Command,
  own: Flags,
  args: readonly string[],
): { values: Values; positionals: string[] } {
  const flags = { ...VARIABLE_FLAGS, ...GLOBAL_FLAGS, ...own }
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { value, short }]) => {
      const type = value === undefined ? ('boolean' as const) : ('string' as const)
      return [name, short === undefined ? { type } : { type, short }]
    }),
  )
  checkNegations(own, args)
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    checkValues(flags, args)
    const [first] = (error as Error).message.split('. ') as [string]
    const what = `${first.charAt(0).toLowerCase()}${first.slice(1)}`
    throw new UsageError(`${what}; ${hintFor(command, flags, args, what)}`, { cause: error })
  }
}

/** `--verified false` would mean the opposite of what it says, and search for the word "false". */
function checkNegations(own: Flags, args: readonly string[]): void {
  for (const [i, arg] of args.entries()) {
    if (arg === '--') return
    const [, name, value = args[i + 1] ?? ''] = /^--([\w-]+)(?:=(.*))?$/.exec(arg) ?? []
    if (`no-${name}` in own && /^(?:true|false)$/.test(value))
      throw new UsageError(`expected --${name} or --no-${name}; found --${name} ${value}`)
  }
}

/** Throws if the value of a flag is missing; of `--query -pie` Node says so in three lines. */
function checkValues(flags: Flags, args: readonly string[]): void {
  for (const [i, arg] of args.entries()) {
    if (arg === '--') return
    const name = arg.startsWith('--') ? arg.slice(2) : ''
    const value = args[i + 1]
    if (flags[name]?.value === undefined || (value !== undefined && !/^-./.test(value))) continue
    const found = value === undefined ? 'nothing' : JSON.stringify(value)
    const isFlag = value === undefined || value === '--' || value.slice(2) in flags
    const hint = isFlag ? '' : `; write --${name}=${shellQuoted(value)} if that is the value`
    throw new UsageError(`expected a value after --${name}; found ${found}${hint}`)
  }
}

function hintFor(command: Command, flags: Flags, args: readonly string[], what: string): string {
  const [, dashes, unknown] = /unknown option '(--?)([^']+)'/.exec(what) ?? []
  // `-n` alone is meant as an option, `-word` as a word to exclude.
  const isLetter = /^[a-z\d]$/i.test(unknown ?? '') && args.includes(`-${unknown}`)
  const isWord = dashes === '-' && !isLetter
  if (isWord && command.operands?.includes('query')) {
    const isValue = (i: number) => {
      const [, name = ''] = /^--([\w-]+)$/.exec(args[i - 1] ?? '') ?? []
      return flags[name]?.value !== undefined
    }
    const query = args.filter((arg, i) => !arg.startsWith('--') && !isValue(i)).join(' ')
    // Quotes alone do not help a query that begins so: the shell takes them away.
    const words = `${query.startsWith('-') ? '-- ' : ''}${shellQuoted(query)}`
    return `to exclude a word, quote the query: ${command.name} ${words}`
  }
  if (unknown === 'url' || unknown === 'key') {
    return `${command.name} works on the local data, only queries ask a server`
  }
  const near = unknown === undefined ? undefined : suggest(unknown, Object.keys(flags))
  return near === undefined ? `see ${TELEGREP} ${command.name} --help` : `did you mean --${near}?`
}

function checkOperands(command: Command, given: readonly string[]) {
  const { name, operands = '' } = command
  const [least, most] = operandCounts(command)
  if (given.length >= least && given.length <= most) return
  const found = given.length === 0 ? 'nothing' : given.map((word) => JSON.stringify(word)).join(' ')
  const expected = operands === '' ? `nothing after ${name}` : `${name} ${operands}`
  throw new UsageError(`expected ${expected}; found ${found}`)
}

function urlOf(values: Values): string | null {
  const { url, key } = values
  if (typeof url !== 'string') {
    if (key !== undefined) throw new UsageError('--key is for a server: name it with --url')
    return null
  }
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new UsageError(
      `expected --url with an http or https address; found ${JSON.stringify(url)}`,
    )
  }
  return url
}

/**
 * Variables given as flags, unless the command has its own flag of that name. A path in a flag is relative to the caller's
 * folder, like every other file; in a variable it is relative to the folder in which the program runs.
 */
function asEnvironment(values: Values, own: Flags, folder: string): Environment {
  return Object.fromEntries(
    Object.entries(VARIABLES).flatMap(([name, { isPath = false }]: [string, Variable]) => {
      const flag = flagOf(name)
      const value = values[flag]
      if (typeof value !== 'string' || !(flag in VARIABLE_FLAGS) || flag in own) return []
      return [[name, isPath && value !== '' ? resolve(folder, value) : value]]
    }),
  )
}

export function flagOf(variable: string): string {
  return variable.slice('TELEGREP_'.length).toLowerCase().replaceAll('_', '-')
}

import type { Environment } from '../config.ts'
import { suggest } from '../text/suggest.ts'
import { VERSION } from '../version.ts'
import { COMMANDS } from './commands.ts'
import {
  EXIT_CODES,
  UsageError,
  flagsOf,
  type Command,
  type CommandCall,
  type Exit,
} from './command.ts'
import { commandHelp, familyHelp, generalHelp } from './help.ts'
import { TELEGREP } from './invocation.ts'
import { createPrinter, type Streams } from './print.ts'

const HELP = ['help', '--help', '-h']
const VERSIONS = ['version', '--version', '-V']

/** Runs one command line and resolves to its exit code; never throws. Only what the command needs is loaded. */
export async function runCli(
  argv: readonly string[],
  env: Environment,
  signal: AbortSignal,
  streams?: Streams,
): Promise<number> {
  // Everything after `--` is an operand, whatever it looks like.
  const flags = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv
  const color = (env['NO_COLOR'] ?? '') === '' && !flags.includes('--no-color')
  const print = createPrinter({ color }, streams)
  let call: CommandCall | undefined
  const onCall = (read: CommandCall) => void (call = read)
  try {
    const exit = (await runWords(argv, env, { print, signal, onCall })) ?? 'ok'
    return EXIT_CODES[exit].code
  } catch (error) {
    print.progress(undefined)
    const { describeError, explain, exitFor } = await import('./explain.ts')
    const exit = exitFor(error, signal)
    // The line itself may be what could not be parsed, so `--json` is looked for in the raw arguments.
    if (exit !== 'interrupted' && flags.includes('--json'))
      print.note(JSON.stringify(describeError(error, exit, call)))
    else if (exit !== 'interrupted')
      print.note(`${print.noteStyle.red('telegrep:')} ${explain(error, call)}`)
    return EXIT_CODES[exit].code
  }
}

async function runWords(
  argv: readonly string[],
  env: Environment,
  {
    print,
    signal,
    onCall,
  }: Pick<CommandCall, 'print' | 'signal'> & { readonly onCall: (call: CommandCall) => void },
): Promise<Exit | void> {
  const words = argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv
  if (VERSIONS.includes(words[0] ?? '')) return print.line(VERSION)
  if (words[0] === undefined || HELP.includes(words[0]))
    return print.line(generalHelp(COMMANDS, print))
  const family = familyOf(words[0])
  if (family.length > 0 && HELP.includes(words[1] ?? ''))
    return print.line(familyHelp(family, print))
  const command = findCommand(words)
  const args = words.slice(command.name.split(' ').length)
  const { readLine } = await import('./read-line.ts')
  const line = await readLine(command, args, env)
  if (line === 'help') return print.line(await commandHelp(command, print))
  const call = { ...line, print, signal }
  onCall(call)
  return runCommand(command, call)
}

async function runCommand(command: Command, call: CommandCall): Promise<Exit | void> {
  await command.check?.(call)
  if (command.data === 'needed' && call.url === null) {
    const { expectData } = await import('./local.ts')
    expectData(call.config, 'url' in (await flagsOf(command)))
  }
  return command.run(call)
}

function findCommand(words: readonly string[]): Command {
  const found =
    COMMANDS.find((command) => command.name === words.slice(0, 2).join(' ')) ??
    COMMANDS.find((command) => command.name === words[0])
  if (found) return found
  const word = words[0] as string
  const family = familyOf(word).map(({ name }) => name)
  if (family.length > 0) {
    // Compared by the second word alone: with the first, which is right, all of them would look alike.
    const seconds = family.map((name) => name.slice(word.length + 1))
    const near = suggest(words[1] ?? '', seconds)
    const found = JSON.stringify(words.slice(0, 2).join(' '))
    const hint = near === undefined ? '' : `; did you mean ${word} ${near}?`
    throw new UsageError(`expected one of ${family.join(', ')}; found ${found}${hint}`)
  }
  const firsts = COMMANDS.map(({ name }) => name.split(' ')[0] as string)
  // Without one-letter flags, which are all one edit away from each other.
  const flags = [...HELP, ...VERSIONS].filter((name) => name.length > 2)
  const near = suggest(word, [...firsts, ...flags])
  const hint = near === undefined ? `see ${TELEGREP} --help` : `did you mean ${near}?`
  throw new UsageError(`there is no command ${JSON.stringify(word)}; ${hint}`)
}

/** The commands that start with this word and have a second one: `keys create`. */
function familyOf(word: string): readonly Command[] {
  return COMMANDS.filter(({ name }) => name.startsWith(`${word} `))
}

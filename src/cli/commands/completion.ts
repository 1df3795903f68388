import { EXIT_CODES, UsageError } from '../command.ts'
import type { Command, CommandCall, ExitCode, Flag, Flags } from '../command.ts'
import { shownFlags } from '../help.ts'

const SCRIPTS = { bash, zsh, fish }

interface Completed extends Pick<Command, 'name' | 'summary'> {
  readonly flags: Flags
}

/** Made of the table of commands, so that it never falls behind. */
export async function completion(
  { operands, json, print }: CommandCall,
  commands: readonly Command[],
): Promise<ExitCode> {
  const shell = operands[0] as keyof typeof SCRIPTS
  if (!Object.hasOwn(SCRIPTS, shell))
    throw new UsageError(`expected ${Object.keys(SCRIPTS).join(', ')}; found ${shell}`)
  const completed = await Promise.all(
    commands.map(async (c) => ({ name: c.name, summary: c.summary, flags: await shownFlags(c) })),
  )
  const script = SCRIPTS[shell](completed)
  if (json) print.json({ shell, script })
  else print.line(script)
  return EXIT_CODES.ok.code
}

function flagWords(command: Completed): string {
  return Object.keys(command.flags)
    .map((flag) => `--${flag}`)
    .join(' ')
}

/** The words a flag takes, read from what the help shows: `<newest|oldest>`. Undefined: it takes any. */
function choicesOf({ value = '' }: Flag): string | undefined {
  return /^<(\w+(?:\|\w+)+)(?:,…)?>$/.exec(value)?.[1]?.replaceAll('|', ' ')
}

function bash(commands: readonly Completed[]): string {
  const cases = commands.map((c) => `    '${c.name}') flags='${flagWords(c)}' ;;`).join('\n')
  const choices = commands
    .flatMap((c) =>
      Object.entries(c.flags).map(([name, flag]) => [c, name, choicesOf(flag)] as const),
    )
    .filter(([, , words]) => words !== undefined)
    .map(([c, name, words]) => `    '${c.name} --${name}') choices='${words}' ;;`)
    .join('\n')
  const names = [...new Set(commands.map((c) => c.name.split(' ')[0]))].join(' ')
  const seconds = commands
    .filter((c) => c.name.startsWith('keys '))
    .map((c) => c.name.slice(5))
    .join(' ')
  return `_telegrep() {
  local word="\${COMP_WORDS[COMP_CWORD]}" command="\${COMP_WORDS[1]}" flags='' choices=''
  [ "$command" = keys ] && command="keys \${COMP_WORDS[2]}"
  case "$command" in
${cases}
  esac
  case "$command \${COMP_WORDS[COMP_CWORD-1]}" in
${choices}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W '${names}' -- "$word"))
  elif [ "$COMP_CWORD" -eq 2 ] && [ "\${COMP_WORDS[1]}" = keys ]; then COMPREPLY=($(compgen -W '${seconds}' -- "$word"))
  elif [ -n "$choices" ]; then COMPREPLY=($(compgen -W "$choices" -- "$word"))
  else COMPREPLY=($(compgen -f -W "$flags" -- "$word")); fi
}
complete -o filenames -F _telegrep telegrep`
}

function zsh(commands: readonly Completed[]): string {
  return `#compdef telegrep\nautoload -U +X bashcompinit && bashcompinit\n${bash(commands)}`
}

function fish(commands: readonly Completed[]): string {
  return commands
    .flatMap((c) => {
      const [first, second] = c.name.split(' ')
      const when =
        second === undefined ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${first}`
      return [
        `complete -c telegrep -n '${when}' -a ${second ?? first} -d '${c.summary.replaceAll("'", '')}'`,
        ...Object.entries(c.flags).map(
          ([name, flag]) =>
            `complete -c telegrep -n '__fish_seen_subcommand_from ${second ?? first}' -l ${name}${fishValue(flag)}`,
        ),
      ]
    })
    .join('\n')
}

function fishValue(flag: Flag): string {
  const choices = choicesOf(flag)
  if (choices !== undefined) return ` -x -a '${choices}'`
  return flag.type === 'string' ? ' -r' : ''
}

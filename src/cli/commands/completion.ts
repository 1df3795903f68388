import { UsageError, type Command, type CommandCall, type Flag, type Flags } from '../command.ts'
import { shellQuoted } from '../format.ts'
import { shownFlags } from '../help.ts'

const SCRIPTS = { bash, zsh, fish }

interface Completed extends Pick<Command, 'name' | 'summary'> {
  readonly operands: string
  readonly flags: Flags
}

/** Generated from the table of commands, so that it is never out of date. */
export async function completion(
  { operands, json, print }: CommandCall,
  commands: readonly Command[],
): Promise<void> {
  const shell = operands[0] as keyof typeof SCRIPTS
  if (!Object.hasOwn(SCRIPTS, shell))
    throw new UsageError(
      `expected ${Object.keys(SCRIPTS).join(', ')}; found ${JSON.stringify(shell)}`,
    )
  const completed = await Promise.all(
    commands.map(async (c) => ({
      name: c.name,
      summary: c.summary,
      operands: c.operands ?? '',
      flags: await shownFlags(c),
    })),
  )
  const script = SCRIPTS[shell](completed)
  if (json) print.json({ shell, script })
  else print.line(script)
}

function flagWords(command: Completed): string {
  return Object.keys(command.flags)
    .map((flag) => `--${flag}`)
    .join(' ')
}

/** The accepted words, taken from the help's placeholder: `<newest|oldest>`. Undefined when any value is accepted. */
function choicesIn(shown = ''): string | undefined {
  return /^<(\w+(?:\|\w+)+)(?:,…)?>$/.exec(shown)?.[1]?.replaceAll('|', ' ')
}

/** First words that need a second, with the commands they start: `keys`, `watch`. */
function familiesOf(commands: readonly Completed[]): Map<string, Completed[]> {
  const families = commands.filter((c) => c.name.includes(' '))
  return Map.groupBy(families, (c) => c.name.split(' ')[0]!)
}

function secondWord({ name }: Completed): string {
  return name.split(' ')[1]!
}

function bash(commands: readonly Completed[]): string {
  const cases = commands.map((c) => {
    const operands = choicesIn(c.operands)
    const words = operands === undefined ? '' : ` words='${operands}'`
    return `    '${c.name}') flags='${flagWords(c)}'${words} ;;`
  })
  const choices = commands
    .flatMap((c) =>
      Object.entries(c.flags).map(([name, flag]) => [c, name, choicesIn(flag.value)] as const),
    )
    .filter(([, , words]) => words !== undefined)
    .map(([c, name, words]) => `    '${c.name} --${name}') choices='${words}' ;;`)
  const names = [...new Set(commands.map((c) => c.name.split(' ')[0]))].join(' ')
  const families = [...familiesOf(commands)].map(
    ([first, family]) => `    ${first}) seconds='${family.map(secondWord).join(' ')}' ;;`,
  )
  return `_telegrep() {
  local word="\${COMP_WORDS[COMP_CWORD]}" command="\${COMP_WORDS[1]}" seconds='' flags='' words='' choices=''
  case "$command" in
${families.join('\n')}
  esac
  [ -n "$seconds" ] && command="$command \${COMP_WORDS[2]}"
  case "$command" in
${cases.join('\n')}
  esac
  case "$command \${COMP_WORDS[COMP_CWORD-1]}" in
${choices.join('\n')}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W '${names}' -- "$word"))
  elif [ "$COMP_CWORD" -eq 2 ] && [ -n "$seconds" ]; then COMPREPLY=($(compgen -W "$seconds" -- "$word"))
  elif [ -n "$choices" ]; then COMPREPLY=($(compgen -W "$choices" -- "$word"))
  elif [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words $flags" -- "$word"))
  else COMPREPLY=($(compgen -f -W "$flags" -- "$word")); fi
}
complete -o filenames -F _telegrep telegrep`
}

function zsh(commands: readonly Completed[]): string {
  const families = familiesOf(commands)
  const firsts = [
    ...commands.filter((c) => !c.name.includes(' ')).map((c) => [c.name, c.summary] as const),
    ...[...families].map(([first, family]) => [first, family.map(secondWord).join(', ')] as const),
  ]
  const described = (words: readonly (readonly [string, string])[]) =>
    words.map(([word, meaning]) => shellQuoted(`${word}:${meaning}`)).join(' ')
  const seconds = [...families].map(
    ([first, family]) =>
      `    ${first}) seconds=(${described(family.map((c) => [secondWord(c), c.summary]))}) ;;`,
  )
  const cases = commands.map((c) => {
    const flags = Object.entries(c.flags).map(([name, flag]) => shellQuoted(zshFlag(name, flag)))
    const operands = choicesIn(c.operands)
    const rest = shellQuoted(operands === undefined ? '*:file:_files' : `*:word:(${operands})`)
    return `    '${c.name}') _arguments ${flags.join(' ')} ${rest} ;;`
  })
  return `#compdef telegrep
compdef _telegrep telegrep
_telegrep() {
  local command="$words[2]"
  local -a firsts seconds
  firsts=(${described(firsts)})
  case "$command" in
${seconds.join('\n')}
  esac
  if (( CURRENT == 2 )); then _describe command firsts; return; fi
  if (( CURRENT == 3 && $#seconds )); then _describe command seconds; return; fi
  (( $#seconds )) && command+=" $words[3]"
  case "$command" in
${cases.join('\n')}
  esac
}
# Loaded by name from a folder of functions, it is what completes; sourced, it only defines.
[ "$funcstack[1]" = _telegrep ] && _telegrep "$@"`
}

/** Other values cannot be guessed, and a list of files would be in the way. */
function isFile({ value = '' }: Flag): boolean {
  return /^<(?:file|folder|store|program)/.test(value)
}

function zshFlag(name: string, flag: Flag): string {
  const meaning = flag.meaning.replaceAll(/[\\[\]]/g, String.raw`\$&`)
  const choices = choicesIn(flag.value)
  const isList = flag.value?.endsWith(',…>') === true
  const words = isList ? `_values -s , value ${choices}` : `(${choices})`
  const files = isFile(flag) ? '_files' : ''
  const action = choices === undefined ? files : words
  return `--${name}[${meaning}]${flag.value === undefined ? '' : `:value:${action}`}`
}

function fish(commands: readonly Completed[]): string {
  const families = [...familiesOf(commands)].map(
    ([first, family]) =>
      `complete -c telegrep -f -n __telegrep_at -a ${first} -d ${shellQuoted(family.map(secondWord).join(', '))}`,
  )
  const completed = commands.flatMap((c) => {
    const [first, second] = c.name.split(' ')
    const when = second === undefined ? '__telegrep_at' : shellQuoted(`__telegrep_at ${first}`)
    const behind = shellQuoted(`__telegrep_behind ${c.name}`)
    const operands = choicesIn(c.operands)
    return [
      `complete -c telegrep -f -n ${when} -a ${second ?? first} -d ${shellQuoted(c.summary)}`,
      ...(operands === undefined
        ? []
        : [`complete -c telegrep -f -n ${behind} -a ${shellQuoted(operands)}`]),
      ...Object.entries(c.flags).map(
        ([name, flag]) =>
          `complete -c telegrep -n ${behind} -l ${name}${fishValue(flag)} -d ${shellQuoted(flag.meaning)}`,
      ),
    ]
  })
  return `# These words were typed, and no other.
function __telegrep_at
  set -l typed (commandline -opc)
  set -e typed[1]
  test "$typed" = "$argv"
end
# These words were typed first.
function __telegrep_behind
  set -l typed (commandline -opc)
  set -e typed[1]
  string match -q -- "$argv *" "$typed "
end
${[...families, ...completed].join('\n')}`
}

function fishValue(flag: Flag): string {
  const choices = choicesIn(flag.value)
  if (choices !== undefined) return ` -x -a '${choices}'`
  if (flag.value === undefined) return ''
  return isFile(flag) ? ' -r' : ' -x'
}

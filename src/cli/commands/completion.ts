import { EXIT_CODES, UsageError } from '../command.ts'
import type { Command } from '../command.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const

/** Made of the table of commands, so that it never falls behind. */
export function completionCommand(commands: () => readonly Command[]): Command {
  return {
    name: 'completion',
    summary: 'print a completion script for your shell',
    operands: '<bash|zsh|fish>',
    flags: {},
    examples: [
      {
        line: 'telegrep completion bash > ~/.local/share/bash-completion/completions/telegrep',
        does: 'for bash',
      },
      {
        line: 'telegrep completion fish > ~/.config/fish/completions/telegrep.fish',
        does: 'for fish',
      },
    ],
    async run({ operands, print }) {
      const shell = SHELLS.find((name) => name === operands[0])
      if (shell === undefined) throw new UsageError(`expected ${SHELLS.join(', ')}`)
      print.line(
        shell === 'fish' ? fish(commands()) : shell === 'zsh' ? zsh(commands()) : bash(commands()),
      )
      return EXIT_CODES.ok.code
    },
  }
}

function flagsOf(command: Command): string {
  return [...Object.keys(command.flags), 'json', 'help', 'data']
    .map((flag) => `--${flag}`)
    .join(' ')
}

function bash(commands: readonly Command[]): string {
  const cases = commands.map((c) => `    '${c.name}') flags='${flagsOf(c)}' ;;`).join('\n')
  const names = [...new Set(commands.map((c) => c.name.split(' ')[0]))].join(' ')
  const seconds = commands
    .filter((c) => c.name.startsWith('keys '))
    .map((c) => c.name.slice(5))
    .join(' ')
  return `_telegrep() {
  local word="\${COMP_WORDS[COMP_CWORD]}" command="\${COMP_WORDS[1]}" flags=''
  [ "$command" = keys ] && command="keys \${COMP_WORDS[2]}"
  case "$command" in
${cases}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W '${names}' -- "$word"))
  elif [ "$COMP_CWORD" -eq 2 ] && [ "\${COMP_WORDS[1]}" = keys ]; then COMPREPLY=($(compgen -W '${seconds}' -- "$word"))
  else COMPREPLY=($(compgen -f -W "$flags" -- "$word")); fi
}
complete -o filenames -F _telegrep telegrep`
}

function zsh(commands: readonly Command[]): string {
  return `#compdef telegrep\nautoload -U +X bashcompinit && bashcompinit\n${bash(commands)}`
}

function fish(commands: readonly Command[]): string {
  return commands
    .flatMap((c) => {
      const [first, second] = c.name.split(' ')
      const when =
        second === undefined ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${first}`
      return [
        `complete -c telegrep -n '${when}' -a ${second ?? first} -d '${c.summary.replaceAll("'", '')}'`,
        ...Object.entries(c.flags).map(
          ([flag, { type }]) =>
            `complete -c telegrep -n '__fish_seen_subcommand_from ${second ?? first}' -l ${flag}${type === 'string' ? ' -r' : ''}`,
        ),
      ]
    })
    .join('\n')
}

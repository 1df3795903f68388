import { EXIT_CODES } from './command.ts'
import type { Command, Flag } from './command.ts'
import type { Style } from './print.ts'

export function generalHelp(commands: readonly Command[], style: Style): string {
  const width = Math.max(...commands.map((c) => c.name.length)) + 2
  return [
    `${style.bold('telegrep')} — grep for Telegram: search public channels`,
    '',
    style.bold('Usage'),
    '  telegrep <command> [options]',
    '',
    style.bold('Commands'),
    ...commands.map((c) => `  ${c.name.padEnd(width)}${c.summary}`),
    '',
    style.bold('Start here'),
    '  telegrep demo                     a simulated platform and the service on it, offline',
    '  telegrep add channels/start.txt   index some channels',
    '  telegrep serve                    crawl them and answer on http://127.0.0.1:8080',
    '  telegrep search "climate change"  search what was read',
    '',
    'telegrep <command> --help explains a command by example. Every variable of docs/configuration.md',
    'is also a flag: TELEGREP_CRAWL_RATE is --crawl-rate.',
  ].join('\n')
}

export function commandHelp(
  command: Command,
  globalFlags: Readonly<Record<string, Flag>>,
  style: Style,
): string {
  const flags = Object.entries({ ...command.flags, ...globalFlags }).map(([name, flag]) => {
    const value = flag.type === 'string' ? ` ${flag.value ?? '<value>'}` : ''
    return [`--${name}${value}`, flag.meaning] as const
  })
  const width = Math.max(...flags.map(([left]) => left.length)) + 2
  return [
    `${style.bold(`telegrep ${command.name}`)} — ${command.summary}`,
    '',
    style.bold('Usage'),
    `  telegrep ${command.name}${command.operands === '' ? '' : ` ${command.operands}`} [options]`,
    '',
    style.bold('Examples'),
    ...command.examples.flatMap(({ line, does }) => [`  ${line}`, `      ${style.dim(does)}`]),
    '',
    style.bold('Options'),
    ...flags.map(([left, meaning]) => `  ${left.padEnd(width)}${meaning}`),
    '',
    style.bold('Exit codes'),
    `  ${Object.values(EXIT_CODES)
      .map(({ code, meaning }) => `${code} ${meaning.split(';')[0]}`)
      .join(' · ')}`,
  ].join('\n')
}

import { EXIT_CODES, flagsOf, type Command, type Flag, type Flags } from './command.ts'
import { TELEGREP } from './invocation.ts'
import type { Printer } from './print.ts'
import { wrap } from './wrap.ts'

type Page = Pick<Printer, 'style' | 'width'>

/** Longer lines are hard to read, however wide the terminal is. */
const MAX_WIDTH = 80
/** A flag with a longer left side has its meaning on the next line. */
const MAX_LEFT = 26

const START: readonly (readonly [string, string])[] = [
  ['telegrep demo', 'a simulated platform and the service on it'],
  ['telegrep add channels/start.txt', 'index some channels'],
  ['telegrep serve', 'crawl them and answer on port 8080'],
  ['telegrep search "climate change"', 'search what was read'],
]

export function generalHelp(commands: readonly Command[], page: Page): string {
  const { bold } = page.style
  return [
    `${bold('telegrep')} — grep for Telegram: search public channels`,
    '',
    bold('Usage'),
    '  telegrep <command> [options]',
    ...(TELEGREP === 'telegrep' ? [] : [`  In this checkout, telegrep is: ${TELEGREP}`]),
    '',
    bold('Commands'),
    ...columns(
      commands.map((c) => [c.name, c.summary]),
      page,
    ),
    '',
    bold('Start here'),
    ...columns(START, page, 34),
    '',
    bold('Options'),
    ...columns(
      [
        ['-h, --help', 'after a command: explain it by example'],
        ['-V, --version', 'print the version'],
        ['--<variable>', 'every variable of docs/configuration.md: --data, --crawl-rate'],
      ],
      page,
    ),
  ].join('\n')
}

/** The help of commands that share their first word. */
export function familyHelp(family: readonly Command[], page: Page): string {
  return [
    page.style.bold('Commands'),
    ...columns(
      family.map(({ name, summary }) => [name, summary]),
      page,
    ),
    '',
    'After each of them, --help explains it by example.',
  ].join('\n')
}

export async function commandHelp(command: Command, page: Page): Promise<string> {
  const { bold, dim } = page.style
  const usage = `telegrep ${command.name} ${command.operands ?? ''}`.trimEnd()
  const flags = Object.entries(await shownFlags(command))
  const isBare = command.data === 'untouched'
  const further = isBare
    ? []
    : [['--<variable>', 'every variable of docs/configuration.md'] as const]
  const exits = Object.values(EXIT_CODES).map(
    ({ code, meaning }) => [String(code), meaning] as const,
  )
  return [
    ...wrap(`${bold(`telegrep ${command.name}`)} — ${command.summary}`, widthOf(page)),
    '',
    bold('Usage'),
    `  ${usage} [options]`,
    '',
    bold('Examples'),
    ...Object.entries(command.examples).flatMap(([line, does]) => [
      `  ${line}`,
      ...wrap(does, widthOf(page) - 6).map((part) => `      ${dim(part)}`),
    ]),
    '',
    bold('Options'),
    ...columns([...flags.map(flagRow), ...further], page),
    '',
    bold('Exit codes'),
    ...columns(exits, page),
  ].join('\n')
}

/** The command's own flags, the variables that matter to it, and the flags that every command has. */
export async function shownFlags(command: Command): Promise<Flags> {
  const { GLOBAL_FLAGS, VARIABLE_FLAGS } = await import('./read-line.ts')
  const shown = [...(command.variables ?? []), ...(command.data === 'untouched' ? [] : ['data'])]
  const variables = shown.map((name) => [name, VARIABLE_FLAGS[name] as Flag] as const)
  return { ...(await flagsOf(command)), ...Object.fromEntries(variables), ...GLOBAL_FLAGS }
}

function flagRow([name, { short, value, meaning }]: [string, Flag]): [string, string] {
  const left = `${short === undefined ? '' : `-${short}, `}--${name}`
  return [value === undefined ? left : `${left} ${value}`, meaning]
}

function columns(
  rows: readonly (readonly [string, string])[],
  page: Page,
  maxLeft = MAX_LEFT,
): string[] {
  const left = Math.min(maxLeft, Math.max(...rows.map(([name]) => name.length))) + 4
  return rows.flatMap(([name, meaning]) => {
    const [first = '', ...rest] = wrap(meaning, widthOf(page) - left)
    const further = rest.map((line) => ' '.repeat(left) + line)
    if (name.length + 4 <= left) return [`  ${name}`.padEnd(left) + first, ...further]
    const names = wrap(name.replaceAll('|', '| '), widthOf(page) - 6)
    return [
      ...names.map((line, i) => `${i === 0 ? '  ' : '      '}${line.replaceAll('| ', '|')}`),
      ' '.repeat(left) + first,
      ...further,
    ]
  })
}

function widthOf({ width }: Page): number {
  return Math.min(width, MAX_WIDTH)
}

import type { Config, Secrets } from '../config.ts'
import type { Printer } from './print.ts'

export interface Flag {
  /** The placeholder for its value in the help: `<tier>`. Without one, the flag is a boolean. */
  readonly value?: string
  readonly meaning: string
  readonly short?: string
}

export type Flags = Readonly<Record<string, Flag>>

/** One command of the program; help, completion and documentation are drawn from it. */
export interface Command {
  /** As typed; `keys create` includes its space. */
  readonly name: string
  readonly summary: string
  /** What follows the name: `<a>` is needed, `[a]` is not, and of `…` there may be any number. Nothing if left out. */
  readonly operands?: string
  /** True for a command that flags alone may tell what to do. */
  readonly needsNone?: boolean
  /** The data folder is created if missing (`made`), has to exist (`needed`), or is not used (`untouched`). */
  readonly data: 'made' | 'needed' | 'untouched'
  readonly flags?: Flags | (() => Promise<Flags>)
  /** Variables that its help shows as flags besides `data`; all of them are accepted. */
  readonly variables?: readonly string[]
  /** Complete command lines, each with what it does. */
  readonly examples: Readonly<Record<string, string>>
  /** Throws for a line that asks for nothing, before the data is opened. */
  check?(call: CommandCall): Promise<void>
  /** Loads what it needs and runs; returns an exit other than `ok`, if any. */
  run(call: CommandCall): Promise<Exit | void>
}

/** The least and the greatest number of operands. */
export function operandCounts({
  operands = '',
  needsNone = false,
}: Pick<Command, 'operands' | 'needsNone'>): readonly [number, number] {
  const least = operands.startsWith('<') && !needsNone ? 1 : 0
  return [least, operands.includes('…') ? Infinity : operands === '' ? 0 : 1]
}

export async function flagsOf({ flags = {} }: Pick<Command, 'flags'>): Promise<Flags> {
  return typeof flags === 'function' ? await flags() : flags
}

export interface CommandCall {
  readonly operands: readonly string[]
  readonly flags: Readonly<Record<string, string | boolean | undefined>>
  readonly json: boolean
  /** The caller's folder: file names are relative to it (`fileOf`). */
  readonly folder: string
  /** The server to query instead of the local data. */
  readonly url: string | null
  readonly config: Config
  readonly secrets: Secrets
  readonly print: Printer
  readonly signal: AbortSignal
}

/** The table of exit codes; `docs/command-line.md` lists exactly these. */
export const EXIT_CODES = {
  ok: { code: 0, meaning: 'done; also a service that was stopped' },
  failed: { code: 1, meaning: 'something went wrong; the message says what' },
  usage: { code: 2, meaning: 'the command line or the configuration could not be read' },
  rejected: { code: 3, meaning: 'some of the input was rejected; the rest was taken' },
  not_found: { code: 4, meaning: 'what was asked for does not exist' },
  interrupted: { code: 130, meaning: 'ended by Ctrl-C before it was done' },
} as const
export type Exit = keyof typeof EXIT_CODES

/** Something that was named does not exist: a channel, a key, a file, the data itself. */
export class NotFoundError extends Error {
  override name = 'NotFoundError'
}

/** A mistake in the command line; the message says what was expected. */
export class UsageError extends Error {
  override name = 'UsageError'
}

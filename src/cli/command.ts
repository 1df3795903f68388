import type { Config, Secrets } from '../config.ts'
import type { Printer } from './print.ts'

export interface Flag {
  /** What the help shows for the value it takes: `<tier>`. Without one it is on or off. */
  readonly value?: string
  readonly meaning: string
  readonly short?: string
}

export type Flags = Readonly<Record<string, Flag>>

/** One command of the binary: help, completion and documentation are drawn from it. */
export interface Command {
  /** As typed, `keys create` with its space. */
  readonly name: string
  readonly summary: string
  /** What follows the name: `<channel…|file|->`. Nothing where it is left out. */
  readonly operands?: string
  /** How many operands it takes, at least and at most. */
  readonly takes?: readonly [number, number]
  /** Of the data folder: `made` where there is none, `needed`, or `untouched`. */
  readonly data: 'made' | 'needed' | 'untouched'
  readonly flags?: Flags | (() => Promise<Flags>)
  /** Variables its help shows as flags beside `data`; all of them are accepted. */
  readonly variables?: readonly string[]
  /** Whole lines as one would type them, each with what it does. */
  readonly examples: Readonly<Record<string, string>>
  /** Throws for a line that asks for nothing, before the data is looked for. */
  check?(call: CommandCall): Promise<void>
  /** Loads what it needs, then does it; says how it ended where it is not `ok`. */
  run(call: CommandCall): Promise<Exit | void>
}

export async function flagsOf({ flags = {} }: Pick<Command, 'flags'>): Promise<Flags> {
  return typeof flags === 'function' ? await flags() : flags
}

export interface CommandCall {
  readonly operands: readonly string[]
  readonly flags: Readonly<Record<string, string | boolean | undefined>>
  readonly json: boolean
  /** Where the caller stands: files are named from here (`fileOf`). */
  readonly folder: string
  /** Of a server to ask in place of the local data. */
  readonly url: string | null
  readonly config: Config
  readonly secrets: Secrets
  readonly print: Printer
  readonly signal: AbortSignal
}

/** The one table of exit codes; `docs/command-line.md` lists exactly these. */
export const EXIT_CODES = {
  ok: { code: 0, meaning: 'done; also a service that was stopped' },
  failed: { code: 1, meaning: 'something went wrong; the message says what' },
  usage: { code: 2, meaning: 'the command line or the configuration could not be read' },
  rejected: { code: 3, meaning: 'some of the input was rejected; the rest was taken' },
  not_found: { code: 4, meaning: 'what was asked for does not exist' },
  interrupted: { code: 130, meaning: 'ended by Ctrl-C before it was done' },
} as const
export type Exit = keyof typeof EXIT_CODES

/** What was named does not exist: a channel, a key, a file, the data itself. */
export class NotFoundError extends Error {
  override name = 'NotFoundError'
}

/** A mistake in what was typed; the message says what was expected. */
export class UsageError extends Error {
  override name = 'UsageError'
}

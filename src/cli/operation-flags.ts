import { inputJsonSchema, type Operation } from '../operations/operation.ts'
import { TYPED_CATALOGUE, type OperationName } from '../operations/catalogue.ts'
import type { StreamOperation } from '../operations/stream-posts.ts'
import type { Flag, Flags } from './command.ts'

interface Property {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly items?: Property
  readonly examples?: readonly string[]
  readonly description?: string
  readonly default?: string | number | boolean
}

/** `--url` names the server here; the query operator `url:` does what the parameter would. */
const NOT_FLAGS = ['q', 'username', 'slug', 'url', 'exclude_url']

/** A flag for each parameter of an operation: `min_views` is --min-views, `verified=false` is --no-verified. */
function operationFlags(operation: Pick<Operation, 'input'>): Record<string, Flag> {
  const { properties } = inputJsonSchema(operation) as { properties: Record<string, Property> }
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => !NOT_FLAGS.includes(name))
      .flatMap(([name, property]) => flagsFor(flagOf(name), property)),
  )
}

export function flagOf(name: string): string {
  return name.replaceAll('_', '-')
}

function flagsFor(name: string, property: Property): [string, Flag][] {
  const meaning = PLACES[name] ?? meaningOf(property)
  if (property.type !== 'boolean') return [[name, { value: valueOf(property), meaning }]]
  if (property.default === false) return [[name, { meaning }]]
  // Splits a meaning such as `only verified channels, or only others`.
  const [yes = '', no = `the opposite of --${name}`] = meaning.split(', or ')
  return [
    [name, { meaning: yes }],
    [`no-${name}`, { meaning: no }],
  ]
}

/** `<newest|oldest>`, `<number>` or an example, `<en,…>`; a comma means that several values are accepted. */
function valueOf({ type, enum: values, items, examples }: Property): string {
  if (items) return `${valueOf(items).slice(0, -1)},…>`
  if (values) return `<${values.join('|')}>`
  if (examples?.[0] !== undefined) return `<${examples[0]}>`
  return type === 'integer' ? '<number>' : '<value>'
}

/** The catalogue's description in the style of the help: `how many to return (20)`. */
function meaningOf({ description = '', default: value }: Property): string {
  const sentence = description
    .replace(/\.$/, '')
    .replaceAll('`q`', 'a query')
    .replaceAll(/`(\w+)=(\w+)`/g, (_, name: string, given: string) => `--${flagOf(name)} ${given}`)
  const plain = /^[A-Z][a-z]/.test(sentence)
    ? sentence.charAt(0).toLowerCase() + sentence.slice(1)
    : sentence
  return value === undefined || value === false ? plain : `${plain} (${value})`
}

const SERVER_FLAGS: Flags = {
  url: { value: '<address>', meaning: 'ask this server, not the local data' },
  key: { value: '<key>', meaning: 'API key, with --url; in TELEGREP_KEY no other user sees it' },
}

/** Replaces descriptions that speak of requests and replies. */
const PLACES: Readonly<Record<string, string>> = {
  cursor: 'continue after an earlier page: `next_cursor` of its --json',
  'since-id': 'continue where an earlier run ended; its last line tells where',
}

/** The same for streams. */
export function streamFlags(stream: StreamOperation): Flags {
  return { ...operationFlags(stream), ...SERVER_FLAGS }
}

/** All flags of a command that calls an operation: its parameters, the format, and the server. */
export function queryFlags(name: OperationName): Flags {
  const operation: Operation = TYPED_CATALOGUE[name]
  const { formats } = operation
  const flags = operationFlags(operation)
  return {
    ...flags,
    ...('cursor' in flags ? { all: { meaning: 'every page, one after the other' } } : {}),
    ...(formats.length > 1
      ? { format: { value: `<${formats.join('|')}>`, meaning: 'output format' } }
      : {}),
    ...SERVER_FLAGS,
  }
}

/** The operation's input from the flags. */
export function inputOf(
  operation: Pick<Operation, 'input'>,
  flags: Readonly<Record<string, string | boolean | undefined>>,
): Record<string, string | boolean> {
  return Object.fromEntries(
    Object.keys(operation.input.shape)
      .filter((name) => !NOT_FLAGS.includes(name))
      .map((name) => {
        const flag = flagOf(name)
        return [name, flags[`no-${flag}`] === true ? false : flags[flag]] as const
      })
      .filter((pair): pair is [string, string | boolean] => pair[1] !== undefined),
  )
}

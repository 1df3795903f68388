import type { ReplyOf } from '../../client/client.ts'
import { TYPED_CATALOGUE, type OperationName } from '../../operations/catalogue.ts'
import { nextPageOf } from '../../operations/operation.ts'
import type { TextFormat } from '../../operations/render/render.ts'
import { openAsker, type Asker } from '../ask.ts'
import { UsageError, type CommandCall } from '../command.ts'
import { explainMessage } from '../explain.ts'
import { TELEGREP } from '../invocation.ts'
import { inputOf } from '../operation-flags.ts'

type Input = Record<string, unknown>

/** Calls an operation with the flags and operands, and shows the reply, prints it as JSON or renders it. */
export async function query<N extends OperationName>(
  call: CommandCall,
  name: N,
  operands: Input,
  show: (reply: ReplyOf<N>, isFirst: boolean, asker: Asker) => void | Promise<void>,
): Promise<void> {
  const { print, flags, signal } = call
  const format = formatOf(call, TYPED_CATALOGUE[name].formats)
  const input = { ...inputOf(TYPED_CATALOGUE[name], flags), ...operands }
  await using asker = await openAsker(call)
  if (format !== 'json' && format !== null) {
    const text = (await asker.text(name, input, format)).trimEnd()
    // Nothing found is no line of NDJSON, not an empty one.
    if (text !== '') print.line(text)
    return
  }
  let cursor: string | null | undefined
  do {
    signal.throwIfAborted()
    const asked = typeof cursor === 'string' ? { ...input, cursor } : input
    const reply = await asker.ask(name, asked as never)
    if (format === 'json') print.json(reply)
    else {
      const isFirst = cursor === undefined
      await show(reply, isFirst, asker)
      if (isFirst)
        for (const warning of reply.warnings) print.note(`note: ${explainMessage(warning, call)}`)
    }
    cursor = nextPageOf(reply)
  } while (flags['all'] === true && typeof cursor === 'string')
  if (format === null && typeof cursor === 'string')
    print.note('more: --all shows every page; --json tells the cursor of the next')
}

/** Null: output for people. */
function formatOf(
  { flags, json }: CommandCall,
  formats: readonly string[],
): 'json' | TextFormat | null {
  const format = flags['format']
  if (typeof format !== 'string') return json ? 'json' : null
  if (!formats.includes(format))
    throw new UsageError(`expected --format ${formats.join(', ')}; found ${JSON.stringify(format)}`)
  if (format === 'json') return 'json'
  if (json) throw new UsageError(`--json and --format ${format} contradict each other`)
  if (flags['all'] === true)
    throw new UsageError(
      `--all goes with --json or no format, not with --format ${format}; ${TELEGREP} export --query writes every post that matches`,
    )
  return format as TextFormat
}

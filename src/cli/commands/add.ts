import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { addChannels } from '../../crawl/add-channels.ts'
import { systemClock } from '../../model/clock.ts'
import { parseChannelName } from '../../model/channel-name.ts'
import { channelLines } from '../../operator-files.ts'
import { EXIT_CODES } from '../command.ts'
import type { CommandCall, ExitCode } from '../command.ts'
import { TELEGREP } from '../invocation.ts'
import { openLocalStore } from '../local.ts'

const WORDS = {
  added: 'added; the crawler reads it at its next chance',
  known: 'indexed already',
  removed: `in the opt-out register; ${TELEGREP} remove <channel> --undo lifts it`,
  invalid: 'not the name of a channel',
} as const

export async function add(call: CommandCall): Promise<ExitCode> {
  const { print } = call
  const read = await Promise.all(call.operands.map(namesOf))
  await using store = await openLocalStore(call.config)
  const results = await addChannels(store, read.flat(), systemClock)
  if (call.json) print.json(results)
  else
    for (const { name, outcome } of results) {
      const words =
        outcome === 'invalid' && call.operands.includes(name) && looksLikeFile(name)
          ? 'there is no such file'
          : WORDS[outcome]
      print.line(`${name}  ${outcome === 'added' ? print.style.green(words) : words}`)
    }
  const isWhole = results.every(({ outcome }) => outcome === 'added' || outcome === 'known')
  return isWhole ? EXIT_CODES.ok.code : EXIT_CODES.rejected.code
}

/** An operand is a channel if it can be one; otherwise a file. */
async function namesOf(operand: string): Promise<string[]> {
  if (operand === '-') return channelLines(await text(process.stdin))
  if (parseChannelName(operand) !== undefined) return [operand]
  try {
    return channelLines(await readFile(operand, 'utf8'))
  } catch {
    return [operand]
  }
}

function looksLikeFile(operand: string): boolean {
  return /[./\\]/.test(operand) && !/^(?:https?:\/\/|t\.me\/)/i.test(operand)
}

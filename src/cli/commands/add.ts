import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { addChannels } from '../../crawl/add-channels.ts'
import { systemClock } from '../../model/clock.ts'
import { parseChannelName } from '../../model/channel-name.ts'
import { channelLines } from '../../operator-files.ts'
import { EXIT_CODES, UsageError } from '../command.ts'
import type { Command } from '../command.ts'
import { openLocalStore } from '../local.ts'

const WORDS = {
  added: 'added; the crawler reads it at its next chance',
  known: 'indexed already',
  removed: 'in the opt-out register; telegrep remove <channel> --undo lifts it',
  invalid: 'not the name of a channel',
} as const

export const add: Command = {
  name: 'add',
  summary: 'index channels; says for each what it became',
  operands: '<channel…|file|->',
  flags: {},
  examples: [
    {
      line: 'telegrep add durov https://t.me/s/telegram @toncoin',
      does: 'names and links in any form',
    },
    { line: 'telegrep add channels/start.txt', does: 'a file, one a line; # starts a comment' },
    { line: 'cut -f1 list.tsv | telegrep add -', does: 'from a pipe' },
  ],
  async run(call) {
    const { print } = call
    if (call.operands.length === 0)
      throw new UsageError('expected channels, a file of them, or - for standard input')
    const names = (await Promise.all(call.operands.map(namesOf))).flat()
    await using store = await openLocalStore(call.config)
    const results = await addChannels(store, names, systemClock)
    if (call.json) print.json(results)
    else
      for (const { name, outcome } of results)
        print.line(
          `${name}  ${outcome === 'added' ? print.style.green(WORDS[outcome]) : WORDS[outcome]}`,
        )
    const isWhole = results.every(({ outcome }) => outcome === 'added' || outcome === 'known')
    return isWhole ? EXIT_CODES.ok.code : EXIT_CODES.rejected.code
  },
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

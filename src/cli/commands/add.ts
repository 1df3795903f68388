import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { addChannels } from '../../crawl/add-channels.ts'
import { lockShared } from '../../store-lock.ts'
import { systemClock } from '../../model/clock.ts'
import { parseChannelName, whyNoName } from '../../model/channel-name.ts'
import { parsePostRef } from '../../model/post-ref.ts'
import type { Store } from '../../store/store.ts'
import { fileOf } from '../caller-folder.ts'
import { channelsIn } from '../channel-list.ts'
import { NotFoundError, type CommandCall, type Exit } from '../command.ts'
import { firstReads } from '../first-reads.ts'
import { formatCount, formatDuration, plural } from '../format.ts'
import { nextCommand } from '../invocation.ts'
import { openLocalStore } from '../local.ts'
import { displayWidth } from '../print.ts'
import { createProgress } from '../progress.ts'
import { standardInput } from '../standard-input.ts'

/** The longest name of a channel; anything longer is cut, so that it pushes no column aside. */
const MAX_NAME = 32

const SUMMED = [
  ['added', 'added'],
  ['known', 'indexed already'],
  ['removed', 'in the opt-out register'],
  ['invalid', 'rejected'],
] as const

export async function add(call: CommandCall): Promise<Exit> {
  const read = await Promise.all(call.operands.map((operand) => namesOf(operand, call)))
  call.signal.throwIfAborted()
  await using store = await openLocalStore(call)
  await using _ = await lockShared(store)
  const results = await addChannels(store, read.flat(), systemClock)
  if (call.json) call.print.json(results)
  else show(results, call)
  if (results.some(({ outcome }) => outcome === 'added')) await tellFirstReads(store, call)
  const isWhole = results.every(({ outcome }) => outcome === 'added' || outcome === 'known')
  return isWhole ? 'ok' : 'rejected'
}

const POLL_MS = 1_000

/** Says when all channels will have been read; with --watch, until they have. */
async function tellFirstReads(store: Store, call: CommandCall): Promise<void> {
  const { print, config, signal } = call
  const { ratePerS } = config.crawl
  const reads = async () => firstReads(await store.archive.totals(), ratePerS)
  const first = await reads()
  if (!call.json && first.waiting > 0) {
    const channels = plural(first.waiting, 'channel')
    const request = ratePerS === 1 ? 'one request' : `${ratePerS} requests`
    print.note(
      `${channels} to be read for the first time: about ${formatDuration(first.leftMs)} of ${request} a second while a crawler runs (${nextCommand(call, 'serve')})`,
    )
  }
  if (call.flags['watch'] !== true) return
  const progress = createProgress(print, systemClock, 'reading', 'channels')
  for (let now = first; now.waiting > 0; now = await reads()) {
    progress.update(Math.max(0, first.waiting - now.waiting), first.waiting)
    await systemClock.sleep(POLL_MS, signal)
  }
  progress.end()
  if (!call.json) print.note('All have been read.')
}

type Results = Awaited<ReturnType<typeof addChannels>>

function show(results: Results, call: CommandCall): void {
  const { print } = call
  const longest = results.reduce((most, { name }) => Math.max(most, displayWidth(name)), 0)
  const width = Math.min(MAX_NAME, longest)
  for (const result of results) {
    const { name, outcome } = result
    const words = wordsOf(result, call)
    const space = ' '.repeat(Math.max(0, width - displayWidth(name)))
    print.line(`${name}${space}  ${outcome === 'added' ? print.style.green(words) : words}`)
  }
  if (results.length === 0) print.note('There was no name in the input.')
  if (results.length < 2) return
  const counts = SUMMED.map(([outcome, words]) => {
    const count = results.filter((result) => result.outcome === outcome).length
    return count === 0 ? '' : `${formatCount(count)} ${words}`
  })
  print.note(counts.filter((count) => count !== '').join(', '))
}

const NEXT = '; the crawler reads it at its next chance'

function wordsOf({ name, outcome, username, again }: Results[number], call: CommandCall): string {
  switch (outcome) {
    case 'added':
      return `added${NEXT}`
    case 'known':
      return `indexed already${username === undefined ? '' : `, as ${username}`}${again ? NEXT : ''}`
    case 'removed':
      return `in the opt-out register; ${nextCommand(call, `remove ${name} --undo`)} lifts it`
    case 'invalid':
      return whyNone(name, call.operands)
  }
}

function whyNone(name: string, operands: readonly string[]): string {
  const isPath = looksLikeFile(name) && parsePostRef(name) === undefined
  if (operands.includes(name) && isPath) return 'there is no such file'
  return `not the name of a channel: ${whyNoName(name)}`
}

/** An operand is a channel if it can be one; otherwise a file. */
async function namesOf(operand: string, call: CommandCall): Promise<string[]> {
  if (operand === '-') return channelsIn((await buffer(standardInput(call))).toString())
  if (parseChannelName(operand) !== undefined) return [operand]
  try {
    return channelsIn(await readFile(fileOf(call, operand), 'utf8'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EISDIR') throw new NotFoundError(`${operand} is a folder; name the files in it`)
    if (code === 'EACCES') throw error
    return [operand]
  }
}

function looksLikeFile(operand: string): boolean {
  return /[./\\]/.test(operand) && !/^(?:https?:\/\/|t\.me\/)/i.test(operand)
}

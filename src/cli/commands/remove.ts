import { systemClock } from '../../model/clock.ts'
import { tryEraseUnused } from '../../crawl/sweep-pictures.ts'
import { lockShared } from '../../store-lock.ts'
import { parseTarget } from '../../model/post-ref.ts'
import { openPictureFiles } from '../../store/picture-files.ts'
import { UsageError, type CommandCall, type Exit } from '../command.ts'
import { formatInstant, plural } from '../format.ts'
import type { IndexedWhen } from '../index-pending.ts'
import { nextCommand } from '../invocation.ts'
import { openLocalStore } from '../local.ts'
import { showTable } from '../table.ts'
import { textFlag } from '../flag-values.ts'

export async function remove(call: CommandCall): Promise<Exit | void> {
  const { print, flags } = call
  await using store = await openLocalStore(call)
  if (flags['list'] === true) {
    const removals = await store.removals.list()
    if (call.json)
      print.json(
        removals.map((r) => ({
          channel: r.name,
          platform_id: r.platformId,
          post: r.number,
          reason: r.reason,
          removed_at: new Date(r.removedAt).toISOString(),
        })),
      )
    else if (removals.length === 0) print.note('The opt-out register is empty.')
    else
      showTable(
        removals,
        [
          { title: 'removed', cell: ({ name, number }) => shownAs(name, number) },
          { title: 'when', cell: (r) => formatInstant(r.removedAt) },
          { title: 'why', shrinks: 1, cell: (r) => r.reason },
        ],
        print,
      )
    return
  }
  await using _ = await lockShared(store)
  const { name, number } = targetOf(call.operands[0])
  const shown = shownAs(name, number)
  if (flags['undo'] === true) {
    const lifted = await store.removals.undo(name, number)
    if (call.json) print.json({ target: shown, lifted })
    else
      print.note(
        lifted
          ? `${shown} may be indexed again: ${nextCommand(call, `add ${name}`)}`
          : `${shown} is not in the register`,
      )
    return lifted ? 'ok' : 'not_found'
  }
  const reason = textFlag(call, 'reason')
  if (reason === null || reason.trim() === '') {
    throw new UsageError('expected --reason <text>; it is kept in the register')
  }
  const now = systemClock.now()
  const channel = await store.archive.channel(name)
  const removed = await store.removals.removed({ names: [name] }, number === null ? [] : [number])
  const isRepeated = removed.channel || removed.numbers.length > 0
  if (number === null && channel) print.progress(`erasing ${plural(channel.posts, 'post')} …`)
  const tellEnd = () => print.note(endedEarly(call))
  call.signal.addEventListener('abort', tellEnd, { once: true })
  const { posts } =
    number === null
      ? await store.removals.removeChannel(name, reason, now)
      : await store.removals.removePost(name, number, reason, now)
  print.progress(undefined)
  call.signal.removeEventListener('abort', tellEnd)
  const isKnown = number === null ? channel !== undefined : posts > 0
  const files = openPictureFiles(call.config.pictures.folder)
  const arePicturesErased = await tryEraseUnused(store, files, systemClock)
  // Loaded late: the language model takes a second.
  const { indexPending } = await import('../index-pending.ts')
  const forgotten = await indexPending(store, call)
  if (call.json) print.json({ target: shown, known: isKnown, erased_posts: posts, forgotten })
  else if (!isKnown && isRepeated) {
    print.note(`${shown} is in the register since before, and nothing of it was left to erase.`)
  } else if (!isKnown) {
    // Right for a channel that must never be indexed; more often a typing mistake.
    print.note(
      `${shown} was not archived here, so nothing was erased; its opt-out is registered. If you meant another: ${nextCommand(call, `remove ${shown} --undo`)}`,
    )
  } else {
    print.note(`${shown}: ${plural(posts, 'post')} erased, opt-out registered.`)
    print.note(FORGOTTEN[forgotten])
    if (!arePicturesErased) print.note('It erases the files of its pictures within 60 s, too.')
  }
}

/** An interrupted removal is recorded, and resumed by whoever opens the store next. */
function endedEarly(call: CommandCall): string {
  const list = nextCommand(call, 'remove --list')
  return `What is in the register (${list}) is shown to nobody; the next server or command erases what is left of it.`
}

const FORGOTTEN: Readonly<Record<IndexedWhen, string>> = {
  now: 'The index has forgotten it.',
  'by the running server': 'The running server takes it out of the index within 60 s.',
  'once the index is back':
    'No answer shows it; the next server that reaches the index takes it out.',
}

function shownAs(name: string, number: number | null): string {
  return number === null ? name : `${name}/${number}`
}

function targetOf(operand: string | undefined): { name: string; number: number | null } {
  const target = parseTarget(operand ?? '')
  if (target === undefined) {
    throw new UsageError(
      `expected a channel such as durov, or a post such as durov/342; found ${operand === undefined ? 'nothing' : JSON.stringify(operand)}`,
    )
  }
  return { name: target.username, number: target.number }
}

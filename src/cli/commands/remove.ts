import { systemClock } from '../../model/clock.ts'
import { parseTarget } from '../../model/post-ref.ts'
import { EXIT_CODES, UsageError } from '../command.ts'
import type { Command } from '../command.ts'
import { formatCount } from '../format.ts'
import { openLocalStore } from '../local.ts'

export const remove: Command = {
  name: 'remove',
  summary: 'erase a channel or a post everywhere and register the opt-out',
  operands: '<channel>[/<post>]',
  flags: {
    reason: { type: 'string', value: '<text>', meaning: 'why; kept in the register' },
    undo: { type: 'boolean', meaning: 'lift the opt-out; what was erased stays erased' },
    list: { type: 'boolean', meaning: 'show the register' },
  },
  examples: [
    {
      line: 'telegrep remove somechannel --reason "asked by its owner"',
      does: 'gone from every server within 60 s, never read again',
    },
    { line: 'telegrep remove somechannel/123 --reason "personal data"', does: 'one post' },
    {
      line: 'telegrep remove somechannel --undo',
      does: 'may be indexed again: telegrep add somechannel',
    },
    { line: 'telegrep remove --list', does: 'what is in the register' },
  ],
  async run(call) {
    const { print, flags } = call
    await using store = await openLocalStore(call.config)
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
      else
        for (const r of removals)
          print.line(`${r.name}${r.number === null ? '' : `/${r.number}`}  ${r.reason}`)
      return EXIT_CODES.ok.code
    }
    const { name, number } = targetOf(call.operands[0])
    const shown = number === null ? name : `${name}/${number}`
    if (flags['undo'] === true) {
      const lifted = await store.removals.undo(name, number)
      if (call.json) print.json({ target: shown, lifted })
      else
        print.note(
          lifted
            ? `${shown} may be indexed again: telegrep add ${name}`
            : `${shown} is not in the register`,
        )
      return lifted ? EXIT_CODES.ok.code : EXIT_CODES.not_found.code
    }
    const reason = flags['reason']
    if (typeof reason !== 'string' || reason.trim() === '') {
      throw new UsageError('expected --reason <text>; it is kept in the register')
    }
    const now = systemClock.now()
    const { posts } =
      number === null
        ? await store.removals.removeChannel(name, reason, now)
        : await store.removals.removePost(name, number, reason, now)
    if (call.json) print.json({ target: shown, erased_posts: posts })
    else print.note(`${shown}: ${formatCount(posts)} post(s) erased, opt-out registered.`)
    return EXIT_CODES.ok.code
  },
}

function targetOf(operand: string | undefined): { name: string; number: number | null } {
  const target = parseTarget(operand ?? '')
  if (target === undefined) {
    throw new UsageError(
      `expected a channel such as durov, or a post such as durov/342; found ${JSON.stringify(operand ?? '')}`,
    )
  }
  return { name: target.username, number: target.number }
}

import { summaryOf } from '../../operations/render/change-words.ts'
import { minute } from '../../operations/render/markdown-words.ts'
import type { CommandCall } from '../command.ts'
import { wordsOf } from '../operands.ts'
import { showChange } from '../show-change.ts'
import { showRow } from '../show-row.ts'
import { query } from './query.ts'

export async function changes(call: CommandCall): Promise<void> {
  const { print } = call
  const { style } = print
  return query(call, 'list_changes', wordsOf(call), ({ data }, isFirst) => {
    if (isFirst && data.length === 0) print.note('no changes')
    for (const change of data) {
      const { channel, changed_at, kinds, before, after, url } = change
      const when = minute(changed_at)
      const facts = style.dim(`@${channel.username}  ${when} · ${kinds.join(', ')}`)
      showRow('', `${style.bold(summaryOf(change))}  ${facts}`, print)
      if (before !== null || after !== null) showChange(before ?? '', after ?? '', print)
      print.line(`  ${style.dim(url)}`)
      print.line()
    }
  })
}

import { hinted } from '../model/hint.ts'
import type { QueryNode } from '../model/query.ts'
import { leavesOf } from '../model/query-tree.ts'
import type { Context } from './context.ts'
import { HELD_LANGUAGES } from './hints.ts'
import type { Warning } from './warnings.ts'

/** The languages that a query asks for with `lang:`. */
export function languagesIn(root: QueryNode | null): string[] {
  return leavesOf(root, 'asked').flatMap((leaf) => (leaf.kind === 'lang' ? [leaf.value] : []))
}

/** A valid code that no post or channel has is no error, but the caller should know why nothing was found. */
export async function languageWarnings(
  { overview }: Context,
  lists: Readonly<Record<string, readonly string[] | undefined>>,
): Promise<Warning[]> {
  const asked = Object.entries(lists).flatMap(([parameter, codes = []]) =>
    codes.map((code) => ({ parameter, code })),
  )
  if (asked.length === 0) return []
  const held = new Set((await overview.languages()).map(({ code }) => code))
  return asked
    .filter(({ code }) => !held.has(code))
    .map(({ parameter, code }) => ({
      code: 'language_not_held',
      parameter,
      ...hinted(`no post or channel is in \`${code}\``, HELD_LANGUAGES),
    }))
}

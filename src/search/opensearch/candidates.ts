import type { PriorPlace } from '../position.ts'
import type { Candidate } from '../rank.ts'
import type { FoundHit } from './ask.ts'
import { groupOf, type Grouped } from './collapse.ts'
import { unpackWords } from './mapping.ts'

/** A post worth ranking, with what the ranker needs of it. */
export interface Rankable extends Grouped, PriorPlace {
  readonly candidate: Candidate
}

/** What has to be asked for. */
export const CANDIDATE = ['words', 'len', 'first', 'copy', 'prior', 'grp', 'sec', 'ch', 'no']

export function rankableOf(hit: FoundHit): Rankable {
  const { fields = {} } = hit
  const number = (name: string) => Number(fields[name]?.[0] ?? 0)
  const prior = number('prior')
  return {
    prior,
    sec: number('sec'),
    channelId: number('ch'),
    number: number('no'),
    group: groupOf(hit),
    candidate: {
      ...unpackWords(String(fields['words']?.[0] ?? '')),
      words: number('len'),
      firstLine: number('first'),
      prior,
      isCopy: fields['copy']?.[0] === true,
    },
  }
}

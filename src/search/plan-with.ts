import type { SearchQuery } from '../model/query.ts'
import type { Expansion, TermStats } from './expr.ts'
import { SEARCH_LIMITS } from './limits.ts'
import { planSearch, type Plan } from './plan.ts'

/** What a plan has to know of an index. */
export interface TermQuestions {
  readonly terms: readonly string[]
  /** For each the most frequent words of the first `look` that begin so, at most `limit`. */
  readonly prefixes: readonly {
    readonly prefix: string
    readonly limit: number
    readonly look: number
  }[]
}

export interface TermAnswers {
  /** Posts in the index. */
  readonly posts: number
  /** How many posts hold a term, or about so many; a term that is left out is held by none. */
  readonly df: ReadonlyMap<string, number>
  /** By prefix; one that is left out is for the engine to expand, and counts as complete. */
  readonly expansions: ReadonlyMap<string, Expansion>
}

/** Plan, fetch, plan, fetch the frequencies of what prefixes stand for, plan. */
const MAX_FETCHES = 2

/**
 * A plan by an index that answers over a network: all that a query has to know is asked for at once, and once more where
 * prefixes stand for words.
 */
export async function planWith(
  query: SearchQuery,
  now: number,
  fetch: (questions: TermQuestions) => Promise<TermAnswers>,
  limits = SEARCH_LIMITS,
): Promise<Plan> {
  const known = createRecorder()
  for (let fetches = 0; ; fetches++) {
    const plan = planSearch(query, now, known.stats, limits)
    const questions = known.questions()
    if (!questions) return plan
    if (fetches === MAX_FETCHES) throw new Error('a plan asks for more terms every time')
    known.learn(questions, await fetch(questions))
  }
}

/** Answers with what it knows, and notes what it does not. */
function createRecorder() {
  const df = new Map<string, number>()
  const expansions = new Map<string, Expansion>()
  const terms = new Set<string>()
  const prefixes = new Map<string, TermQuestions['prefixes'][number]>()
  let posts: number | undefined
  const stats: TermStats = {
    mayLag: true,
    get posts() {
      return posts ?? NaN
    },
    // Not a number is neither rare nor frequent: as 0 it would mean that nobody holds the term, and keep the planner from
    // asking for others.
    df(term) {
      const known = df.get(term)
      if (known === undefined) terms.add(term)
      return known ?? NaN
    },
    expand(prefix, limit, look) {
      const known = expansions.get(prefix)
      if (!known) prefixes.set(prefix, { prefix, limit, look })
      if (!known || known.toks.length <= limit) return known ?? { toks: [], complete: true }
      // Prefixes share what they may stand for: now that others are known, less may be left.
      return { toks: known.toks.slice(0, limit), complete: false }
    },
  }
  return {
    stats,
    /** Undefined when everything is known. */
    questions(): TermQuestions | undefined {
      if (posts !== undefined && terms.size + prefixes.size === 0) return undefined
      return { terms: [...terms], prefixes: [...prefixes.values()] }
    },
    learn(questions: TermQuestions, answers: TermAnswers): void {
      posts = answers.posts
      for (const term of questions.terms) df.set(term, answers.df.get(term) ?? 0)
      for (const { prefix } of questions.prefixes) {
        expansions.set(prefix, answers.expansions.get(prefix) ?? { toks: [], complete: true })
      }
      terms.clear()
      prefixes.clear()
    },
  }
}

import type { SearchQuery } from '../model/query.ts'
import type { Expansion, TermStats } from './expr.ts'
import { SEARCH_LIMITS } from './limits.ts'
import { planSearch, type Plan } from './plan.ts'

/** What a plan needs to know from an index. */
export interface TermQuestions {
  readonly terms: readonly string[]
  /** For each prefix: the `limit` most frequent of the first `look` words that start with it. */
  readonly prefixes: readonly {
    readonly prefix: string
    readonly limit: number
    readonly look: number
  }[]
}

export interface TermAnswers {
  /** Posts in the index. */
  readonly posts: number
  /** Number of posts that hold a term, possibly an estimate; a term that is left out is held by none. */
  readonly df: ReadonlyMap<string, number>
  /** By prefix. A prefix that is left out is expanded by the engine itself, and counts as complete. */
  readonly expansions: ReadonlyMap<string, Expansion>
}

/** Plan, fetch, plan, fetch the frequencies of the words that prefixes stand for, plan. */
const MAX_FETCHES = 2

/**
 * Plans a query for an index that answers over a network: everything the plan needs is asked for at once, and a second
 * time if prefixes stand for words. Prefixes of a single word are left to the engine.
 */
export async function planRemote(
  query: SearchQuery,
  now: number,
  fetch: (questions: TermQuestions) => Promise<TermAnswers>,
  limits = SEARCH_LIMITS,
): Promise<Plan> {
  const known = createRecorder()
  for (let fetches = 0; ; fetches++) {
    const plan = planSearch(query, now, known.stats, limits)
    if (plan.units.length < 2) return withEvenUnits(plan)
    const questions = known.questions()
    if (!questions) return plan
    if (fetches === MAX_FETCHES) throw new Error('a plan asks for more terms every time')
    known.learn(questions, await fetch(questions))
  }
}

/** A single word, phrase or prefix is ranked the same however rare it is, so nothing has to be asked for. */
function withEvenUnits(plan: Plan): Plan {
  return { ...plan, units: plan.units.map((unit) => ({ ...unit, idf: 1 })) }
}

/** Plans a query whose hits are not ranked. Which posts match it does not depend on frequencies, so nothing is asked for. */
export function planUnranked(query: SearchQuery, now: number, limits = SEARCH_LIMITS): Plan {
  return planSearch(query, now, createRecorder().stats, limits)
}

/** Answers with what is known, and records what is not. */
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
    // NaN is neither rare nor frequent. With 0, the planner would take it that no post holds the term, and would not ask for
    // the terms that depend on it.
    df(term) {
      const known = df.get(term)
      if (known === undefined) terms.add(term)
      return known ?? NaN
    },
    expand(prefix, limit, look) {
      const known = expansions.get(prefix)
      if (!known) prefixes.set(prefix, { prefix, limit, look })
      if (!known || known.toks.length <= limit) return known ?? { toks: [], complete: true }
      // Prefixes share a budget of words: now that the others are known, less may be left for this one.
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

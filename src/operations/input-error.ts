import type { z } from 'zod'
import { AppError, type ErrorCode, type ErrorItem } from '../model/errors.ts'
import { beginningOf } from '../model/found.ts'
import { suggest } from '../text/suggest.ts'

/** What a parameter's own reader says about a value it refuses, carried through zod's issues. */
export interface Refusal {
  readonly code?: ErrorCode
  readonly detail: string
  readonly position?: number
  readonly suggestion?: string | undefined
}

const MAX_ITEMS = 10

/** What takes the parameters, by name. */
interface Taking {
  readonly name: string
  readonly input: z.ZodObject
}

/** All problems of an input at once, the first one's code on top. */
export function inputError(error: z.ZodError, operation: Taking): AppError {
  const items = error.issues
    .flatMap((issue) => toItems(issue, operation))
    .slice(0, MAX_ITEMS) as (ErrorItem & { readonly code: ErrorCode })[]
  const first = items[0]!
  return new AppError(first.code, items.map(sentenceOf).join('; '), { errors: items })
}

/** The sentence on top stands alone in logs and on screens: it says of which parameter it speaks. */
function sentenceOf({ parameter, code, detail }: ErrorItem): string {
  return code === 'invalid_parameter' ? `\`${parameter}\`: ${detail}` : detail
}

function toItems(
  issue: z.core.$ZodIssue,
  operation: Taking,
): (ErrorItem & { readonly code: ErrorCode })[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, MAX_ITEMS).map((key) => unknownParameter(key, operation))
  }
  const parameter = String(issue.path[0] ?? '')
  const refusal = (issue as { params?: { refusal?: Refusal } }).params?.refusal
  if (refusal?.code === 'missing_parameter') return [missing(parameter, refusal.detail)]
  if (refusal) {
    return [{ ...refusal, parameter, code: refusal.code ?? 'invalid_parameter' }]
  }
  if (issue.input === undefined && issue.code === 'invalid_type' && parameter !== '') {
    return [missing(parameter, 'is required')]
  }
  if (parameter === '') {
    return [{ code: 'invalid_request', detail: 'parameters are given as a map of names to values' }]
  }
  return [{ parameter, code: 'invalid_parameter', detail: issue.message }]
}

function missing(parameter: string, what: string): ErrorItem & { readonly code: ErrorCode } {
  return { parameter, code: 'missing_parameter', detail: `the parameter \`${parameter}\` ${what}` }
}

function unknownParameter(
  key: string,
  operation: Taking,
): ErrorItem & { readonly code: ErrorCode } {
  const nearest = suggest(key, Object.keys(operation.input.shape))
  const shown = beginningOf(key)
  const hint = nearest === undefined ? `; ${takenBy(operation)}` : `, did you mean \`${nearest}\`?`
  return {
    parameter: shown,
    code: 'unknown_parameter',
    detail: `unknown parameter \`${shown}\`${hint}`,
    suggestion: nearest,
  }
}

/** More than these are for the reference to list. */
const FEW = 6

function takenBy({ name, input }: Taking): string {
  const names = Object.keys(input.shape)
  if (names.length === 0) return `${name} takes none`
  if (names.length > FEW) return `/docs#${name} lists those that ${name} takes`
  return `${name} takes ${names.map((each) => `\`${each}\``).join(', ')}`
}

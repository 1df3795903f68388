import type { z } from 'zod'
import { errorOf, type AppError, type ErrorCode, type ErrorItem } from '../model/errors.ts'
import { beginningOf } from '../model/found.ts'
import { hinted } from '../model/hint.ts'
import { suggest } from '../text/suggest.ts'

/** Why a parameter's reader refuses a value; carried through zod's issues. */
export interface Refusal extends Omit<ErrorItem, 'parameter' | 'code'> {
  readonly code?: ErrorCode
}

const MAX_ITEMS = 10

/** The operation whose parameters are read. */
interface Taking {
  readonly name: string
  readonly input: z.ZodObject
  /** Parameters that the face takes itself. */
  readonly ofFace?: readonly string[] | undefined
}

/** One error for all problems of an input; its code is that of the first. */
export function inputError(error: z.ZodError, operation: Taking): AppError {
  const items = error.issues.flatMap((issue) => toItems(issue, operation)).slice(0, MAX_ITEMS)
  return errorOf(items[0]!, ...items.slice(1))
}

function toItems(issue: z.core.$ZodIssue, operation: Taking): ErrorItem[] {
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

function missing(parameter: string, what: string): ErrorItem {
  return { parameter, code: 'missing_parameter', detail: `the parameter \`${parameter}\` ${what}` }
}

function unknownParameter(key: string, operation: Taking): ErrorItem {
  const nearest = suggest(key, namesOf(operation))
  const shown = beginningOf(key)
  const sentence = `unknown parameter \`${shown}\``
  const item = { parameter: shown, code: 'unknown_parameter', suggestion: nearest } as const
  if (nearest !== undefined) return { ...item, ...hinted(sentence, { meant: nearest }) }
  const names = namesOf(operation)
  if (names.length > FEW) return { ...item, ...hinted(sentence, { reference: operation.name }) }
  const taken = names.map((each) => `\`${each}\``).join(', ') || 'none'
  return { ...item, detail: `${sentence}; ${operation.name} takes ${taken}` }
}

/** With more parameters than this, the message refers to the reference instead of listing them. */
const FEW = 6

function namesOf({ input, ofFace = [] }: Taking): readonly string[] {
  return [...Object.keys(input.shape), ...ofFace]
}

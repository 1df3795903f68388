import { INTERNAL_ERROR, INVALID_PARAMS, ProtocolError } from '@modelcontextprotocol/server'
import { AppError } from '../model/errors.ts'
import { sentencesOf } from './answer.ts'

/** The request is valid, but cannot be served now. */
export const REFUSED = -32000

/** The error as the caller may see it; a bug is reported and its details withheld. */
export function publicError(error: unknown, report: (bug: unknown) => void): AppError {
  if (error instanceof AppError) return error
  report(error)
  return new AppError('internal', 'something went wrong on our side')
}

/** For requests other than tool calls: the same sentences, as an error of the protocol. */
export function protocolError(error: AppError): ProtocolError {
  return new ProtocolError(codeOf(error), sentencesOf(error).join('\n'))
}

function codeOf({ code, status }: AppError): number {
  if (code === 'internal') return INTERNAL_ERROR
  return code === 'quota_exceeded' || status >= 500 ? REFUSED : INVALID_PARAMS
}

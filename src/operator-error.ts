/** A failure the operator can fix: the message says what is wrong and how to fix it, so no stack trace is shown. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}

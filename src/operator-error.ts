/** A failure the operator can mend: its message says what and how, so no stack trace is shown. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}

/** A problem that the user can fix; reported without a stack trace. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
}

/** What the person at the keyboard can do something about; told without a stack. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
}

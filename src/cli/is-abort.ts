/** Whether a command failed only because it was to stop; an unrelated error after Ctrl-C is still reported. */
export function isAbort(error: unknown, signal: AbortSignal): boolean {
  if (!signal.aborted) return false
  if (error === signal.reason) return true
  if (!(error instanceof Error)) return false
  return error.name === 'AbortError' || error.cause === signal.reason
}

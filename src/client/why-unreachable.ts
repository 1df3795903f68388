/** Why a service could not be reached, or did not answer as Telegrep. */
export function whyUnreachable(url: string, error: unknown): string {
  if (error instanceof SyntaxError) return `${url} answers, but not as Telegrep does`
  // `fetch failed` alone says nothing; the cause does and, if several addresses were tried, its code.
  const cause = ((error as Error).cause ?? error) as Error & { readonly code?: string }
  return `${url} does not answer: ${cause.message || cause.code || String(cause)}`
}

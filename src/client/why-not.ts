/** Why a service could not be asked, which no answer of its own tells. */
export function whyNot(url: string, error: unknown): string {
  if (error instanceof SyntaxError) return `${url} answers, but not as Telegrep does`
  // `fetch failed` alone says nothing: the cause knows, and where several addresses were tried, its code does.
  const cause = ((error as Error).cause ?? error) as Error & { readonly code?: string }
  return `${url} does not answer: ${cause.message || cause.code || String(cause)}`
}

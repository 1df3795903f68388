/** Outcomes of a last visit whose names do not say enough. */
const FAILURES: Readonly<Record<string, string>> = {
  empty: 'showed no posts',
  nobody: 'nobody has the name',
  throttled: 'the platform asked to slow down',
  truncated: 'the page was cut off',
  layout_unknown: 'the page could not be understood',
  contradictory: 'the page contradicts what is archived',
  crashed: 'failed on our side',
  unreachable_network: 'the platform could not be reached',
  unreachable_timeout: 'the platform did not answer in time',
}

/** Why channels could not be read, for people. */
export function failureWords(outcome: string): string {
  return FAILURES[outcome] ?? outcome.replaceAll('_', ' ')
}

import { VERSION } from './version.ts'

/** Who reads the platform, whom to write to, and where to ask not to be read. */
export function userAgent(told: {
  readonly contact: string | null
  readonly removalUrl: string | null
}): string {
  const { contact, removalUrl } = told
  const parts = [
    ...(contact === null ? [] : [`+${contact}`]),
    // As an address of ASCII letters: a header takes no others.
    ...(removalUrl === null ? [] : [`removal: ${new URL(removalUrl).href}`]),
  ]
  return `telegrep/${VERSION}${parts.length === 0 ? '' : ` (${parts.join('; ')})`}`
}

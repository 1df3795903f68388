import { VERSION } from './version.ts'

/** Says who reads the platform, whom to write to, and where to ask to be left out. */
export function userAgent(told: {
  readonly contact: string | null
  readonly removalUrl: string | null
}): string {
  const { contact, removalUrl } = told
  const parts = [
    ...(contact === null ? [] : [`+${contact}`]),
    // `URL` makes the address ASCII; a header takes nothing else.
    ...(removalUrl === null ? [] : [`removal: ${new URL(removalUrl).href}`]),
  ]
  return `telegrep/${VERSION}${parts.length === 0 ? '' : ` (${parts.join('; ')})`}`
}

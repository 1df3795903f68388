import { isLoopbackHost } from '../access/caller.ts'
import { AppError } from '../model/errors.ts'
import { found } from '../model/found.ts'

interface Headers {
  get(name: string): string | null
}

const WHAT_TO_SET = 'set TELEGREP_PUBLIC_URL to the address that others use, and it answers them'

/**
 * Why a personal instance, which serves its own machine alone, does not answer a request: a page of another site would read
 * what its owner keeps and spend the owner's quota. Such a page says where it comes from, or its browser does; one that has
 * its own name lead to this machine still sends that name as the Host. Programs other than browsers send none of these.
 */
export function whyForeign(headers: Headers): AppError | undefined {
  const host = headers.get('host')
  if (host !== null && !isOwn(`http://${host}`)) {
    const detail = `this service answers its own machine, not the host ${found(host)}; ${WHAT_TO_SET}`
    return new AppError('host_not_allowed', detail)
  }
  const origin = headers.get('origin')
  if (origin === null ? !isAskedByOthers(headers) : isOwn(origin)) return undefined
  const who = origin === null ? 'another site' : found(origin)
  const detail = `this service answers its own machine, not pages of ${who}; ${WHAT_TO_SET}`
  return new AppError('origin_not_allowed', detail)
}

function isOwn(address: string): boolean {
  return URL.canParse(address) && isLoopbackHost(new URL(address).hostname)
}

/** Browsers send no Origin with pictures, scripts and frames. A link that somebody follows may lead here. */
function isAskedByOthers(headers: Headers): boolean {
  if (headers.get('sec-fetch-site') !== 'cross-site') return false
  return (
    headers.get('sec-fetch-mode') !== 'navigate' || headers.get('sec-fetch-dest') !== 'document'
  )
}

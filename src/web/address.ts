/** Addresses of pages. They have the same parameters as the API, so that a page and its JSON differ only in the path. */

export type Parameters = Readonly<Record<string, string>>
/** Undefined removes a parameter. */
export type Changes = Readonly<Record<string, string | undefined>>
/** This page's address with some parameters changed. */
export type LinkTo = (changes: Changes) => string

/** `path?…` with some parameters changed. A change returns to the first page. */
export function addressWith(path: string, parameters: Parameters, changes: Changes): string {
  const merged: Record<string, string | undefined> = {
    ...parameters,
    cursor: undefined,
    ...changes,
  }
  const pairs = Object.entries(merged).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== '',
  )
  const query = new URLSearchParams(pairs).toString()
  return query === '' ? path : `${path}?${query}`
}

export function channelPath(username: string): string {
  return `/channels/${encodeURIComponent(username)}`
}

export function postPath(id: string): string {
  const [username = '', slug = ''] = id.split('/')
  return `/channels/${encodeURIComponent(username)}/posts/${encodeURIComponent(slug)}`
}

const ON_PLATFORM =
  /^\/(?:s\/(?<listed>[A-Za-z]\w{3,31})|(?:(?:s|channels)\/)?(?<name>[A-Za-z]\w{3,31})\/(?<slug>\d{1,10}))\/?$/

/**
 * Our page for a path of the platform: `/s/durov`, `/durov/12`. People put our host in front of a path they copied, or a
 * channel's address in front of a number.
 */
export function pageOfPlatformPath(path: string): string | undefined {
  const { listed, name, slug } = ON_PLATFORM.exec(path)?.groups ?? {}
  if (listed !== undefined) return channelPath(listed)
  return name === undefined ? undefined : postPath(`${name}/${slug}`)
}

const SAFE = /^(?:https?:\/\/|tg:|mailto:)/i

/** An author's link if a reader may follow it; undefined for any other scheme. */
export function safeHref(url: string | null): string | undefined {
  return url !== null && SAFE.test(url) ? url : undefined
}

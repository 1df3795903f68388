/** The form in which filters compare addresses. Nothing here fetches anything. */

const TRACKING = /^(?:utm_\w+|fbclid|gclid|yclid|mc_[ce]id|igshid|ref_src|_openstat)$/i
const MAX_UNITS = 2048
/** A host that needs no parsing: already in lower case, not an IP address, and without Punycode, which may be invalid. */
const PLAIN_HOST = /^https?:\/\/(?!www\.)((?:(?!xn--)[a-z0-9-]+\.)+[a-z]{2,})(?:[/?#]|$)/

/**
 * One form for addresses that mean the same page: `https`, no `www.`, no default port, no fragment, no tracking
 * parameters, the rest sorted, no trailing slash. Undefined if it is not a web address.
 */
export function normaliseUrl(url: string): string | undefined {
  const parsed = parseWebUrl(url)
  if (!parsed) return undefined
  const params = [...parsed.searchParams].filter(([name]) => !TRACKING.test(name))
  params.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  const query = new URLSearchParams(params).toString()
  const port = parsed.port === '' ? '' : `:${parsed.port}`
  const path = parsed.pathname.replace(/(?<!\/)\/+$/, '')
  return `https://${bareHost(parsed.hostname)}${port}${path}${query === '' ? '' : `?${query}`}`
}

/** The host, lower case, without `www.`; undefined if it is not a web address. */
export function hostOf(url: string): string | undefined {
  const plain = url.length > MAX_UNITS ? undefined : PLAIN_HOST.exec(url)?.[1]
  if (plain !== undefined) return plain
  const parsed = parseWebUrl(url)
  return parsed && bareHost(parsed.hostname)
}

/** The host and its parent domains, so that a filter for `example.com` finds `news.example.com`. */
export function domainTerms(host: string): string[] {
  const bare = bareHost(host.toLowerCase())
  const labels = bare.split('.').slice(-8)
  if (labels.length < 2 || /^[\d.]+$/.test(bare)) return [bare]
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'))
}

function bareHost(host: string): string {
  return host.replace(/^www\./, '').replace(/\.$/, '')
}

function parseWebUrl(url: string): URL | undefined {
  if (url.length > MAX_UNITS) return undefined
  const text = url.trim()
  const isWeb = /^https?:\/\//i.test(text)
  // Without a scheme it must look like a host: `example.com:8080/x` does, `mailto:a@b.com` does not.
  if (!isWeb && !/^(?:\/\/)?[^\s:/?#@]+\.[^\s:/?#@]+(?::\d+)?(?:[/?#]|$)/.test(text))
    return undefined
  const parsed = URL.parse(isWeb ? text : `https://${text.replace(/^\/\//, '')}`)
  if (!parsed) return undefined
  return parsed.hostname === '' ? undefined : parsed
}

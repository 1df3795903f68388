import { MEDIA_HOSTS } from '../model/picture.ts'

/** A page loads its own style and script and, if the operator shows media, files of the platform; nothing else. */
export function pageHeaders(showMedia: boolean): Readonly<Record<string, string>> {
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': contentPolicy(showMedia),
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'private, no-cache',
  }
}

function contentPolicy(showMedia: boolean): string {
  const cdn = MEDIA_HOSTS.map((host) => `https://*.${host}`).join(' ')
  return [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    `img-src 'self'${showMedia ? ` ${cdn}` : ''}`,
    ...(showMedia ? [`media-src ${cdn}`] : []),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

import { NETWORK_REASONS } from '../model/network-reasons.ts'

/** What a network error code means, in words; the code is kept, so that it can be looked up. */
export function whyFailed(code: string): string {
  const words = WORDS[code]
  return words === undefined ? code : `${words} (${code})`
}

const NO_TLS = 'what answers there does not speak TLS: is it http?'

const WORDS: Readonly<Record<string, string>> = {
  ...NETWORK_REASONS,
  UND_ERR_CONNECT_TIMEOUT: 'the host did not answer',
  UND_ERR_SOCKET: 'the connection was closed before an answer came',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of its answer are too long',
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  EPROTO: NO_TLS,
}

/** What a network error code means, in words; the code is kept, so that it can be looked up. */
export function whyFailed(code: string): string {
  const words = WORDS[code]
  return words === undefined ? code : `${words} (${code})`
}

const CUT = 'the connection was closed before an answer came'
const NO_HOST = 'the host cannot be reached'
const NO_TLS = 'what answers there does not speak TLS: is it http?'
const UNSIGNED = 'its certificate is signed by nobody known here'

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'the host’s name could not be looked up',
  EHOSTUNREACH: NO_HOST,
  ENETUNREACH: NO_HOST,
  ETIMEDOUT: NO_HOST,
  UND_ERR_CONNECT_TIMEOUT: NO_HOST,
  UND_ERR_SOCKET: CUT,
  ECONNRESET: CUT,
  EPIPE: CUT,
  UND_ERR_HEADERS_OVERFLOW: 'the headers of its answer are too long',
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  EPROTO: NO_TLS,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNSIGNED,
  SELF_SIGNED_CERT_IN_CHAIN: UNSIGNED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNSIGNED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNSIGNED,
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  CERT_HAS_EXPIRED: 'its certificate has expired',
}

const NO_HOST = 'the host cannot be reached'
const CUT = 'the connection was cut'
const UNSIGNED = 'its certificate is not signed by an authority trusted here'

/** What the error codes of sockets, names and certificates mean, in words; the same for every server that is asked. */
export const NETWORK_REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'the host’s name could not be looked up',
  EHOSTUNREACH: NO_HOST,
  ENETUNREACH: NO_HOST,
  ETIMEDOUT: 'the host did not answer',
  ECONNRESET: CUT,
  EPIPE: CUT,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNSIGNED,
  SELF_SIGNED_CERT_IN_CHAIN: UNSIGNED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNSIGNED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNSIGNED,
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  CERT_HAS_EXPIRED: 'its certificate has expired',
}

const NO_TLS = 'what answers there does not speak TLS: is it http?'

const HTTP_REASONS: Readonly<Record<string, string>> = {
  ...NETWORK_REASONS,
  UND_ERR_CONNECT_TIMEOUT: 'the host did not answer',
  UND_ERR_SOCKET: 'the connection was closed before an answer came',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of its answer are too long',
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  EPROTO: NO_TLS,
}

/** What the error code of an HTTP request means, in words; the code is kept, so that it can be looked up. */
export function whyFailed(code: string): string {
  const words = HTTP_REASONS[code]
  return words === undefined ? code : `${words} (${code})`
}

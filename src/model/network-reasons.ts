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

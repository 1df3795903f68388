import { AppError } from '../model/errors.ts'
import { createSemaphore } from '../model/semaphore.ts'
import {
  sealPackage,
  type Manifest,
  type PackageFile,
  type Sealed,
  type Stamper,
} from './package.ts'
import { deriveSigningKey, type PublicKey, type SigningKey } from './signing-key.ts'

/** Makes packages and lists the keys that sign them. */
export interface Evidence {
  /** Reads pictures for one package at a time: some are 50 MB, and other requests have to be answered meanwhile. */
  runExclusive<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>
  seal(about: {
    readonly subject: Manifest['subject']
    readonly madeBy: Manifest['made_by']
    readonly files: readonly PackageFile[]
  }): Promise<Sealed>
  /** What `/.well-known/telegrep-key.json` shows: a set of keys (RFC 7517). */
  keys(): Promise<KeyDocument>
}

interface KeyDocument {
  /** The id of the key that signs now. */
  readonly current: string
  readonly keys: readonly (PublicKey & { readonly use: 'sig' })[]
}

/** How many packages wait while another's pictures are read; together they take less time than a request is given. */
const MAX_WAITING = 4

/** The key is derived when first needed: most processes sign nothing. */
export function createEvidence(options: {
  readonly secret: string
  readonly stamper: Stamper | null
}): Evidence {
  const { secret, stamper } = options
  let derived: Promise<SigningKey> | undefined
  const semaphore = createSemaphore(1)
  const signingKey = () => (derived ??= deriveSigningKey(secret))
  return {
    async runExclusive(signal, work) {
      if (semaphore.waiting < MAX_WAITING) return semaphore.run(work, signal)
      throw new AppError('overloaded', 'many packages are being made, ask again in a moment', {
        retryAfterS: 2,
      })
    },
    async seal({ subject, madeBy, files }) {
      return sealPackage({ subject, madeBy, files, key: await signingKey(), stamper })
    },
    async keys() {
      const key = (await signingKey()).public
      return { current: key.kid, keys: [{ ...key, use: 'sig' }] }
    },
  }
}

import { AppError } from '../model/errors.ts'
import { getOrMake } from '../model/get-or-make.ts'
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
  /** What `/.well-known/telegrep-key.json` shows: a set of keys (RFC 7517), including those no longer in use. */
  keys(): Promise<KeyDocument>
}

interface KeyDocument {
  /** The id of the key that signs now. */
  readonly current: string
  readonly keys: readonly (PublicKey & { readonly use: 'sig'; readonly generation: number })[]
}

/** How many packages wait while another's pictures are read; together they take less time than a request is given. */
const MAX_WAITING = 4

/** Keys are derived when first needed: most processes sign nothing. */
export function createEvidence(options: {
  readonly secret: string
  /** The generation of the key that signs; it and all earlier ones are published. */
  readonly generation: number
  readonly stamper: Stamper | null
}): Evidence {
  const { secret, generation, stamper } = options
  const made = new Map<number, Promise<SigningKey>>()
  const semaphore = createSemaphore(1)
  const keyOf = (number: number) => getOrMake(made, number, () => deriveSigningKey(secret, number))
  return {
    async runExclusive(signal, work) {
      if (semaphore.waiting < MAX_WAITING) return semaphore.run(work, signal)
      throw new AppError('overloaded', 'many packages are being made, ask again in a moment', {
        retryAfterS: 2,
      })
    },
    async seal({ subject, madeBy, files }) {
      return sealPackage({ subject, madeBy, files, key: await keyOf(generation), stamper })
    },
    async keys() {
      const all: KeyDocument['keys'][number][] = []
      for (let number = generation; number >= 1; number--) {
        const key = await keyOf(number)
        all.push({ ...key.public, use: 'sig', generation: number })
      }
      return { current: all[0]!.kid, keys: all }
    },
  }
}

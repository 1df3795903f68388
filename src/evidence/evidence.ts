import { AppError } from '../model/errors.ts'
import { createTurns } from '../model/turns.ts'
import {
  sealPackage,
  type Manifest,
  type PackageFile,
  type Sealed,
  type Stamper,
} from './package.ts'
import { deriveSigningKey, type PublicKey, type SigningKey } from './signing-key.ts'

/** Makes packages and tells the keys they are signed with. */
export interface Evidence {
  /** Goes through pictures, one package at a time: some have fifty million bytes, and others want to be answered as well. */
  inTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>
  seal(about: {
    readonly subject: Manifest['subject']
    readonly madeBy: Manifest['made_by']
    readonly files: readonly PackageFile[]
  }): Promise<Sealed>
  /** What `/.well-known/telegrep-key.json` shows: a set of keys (RFC 7517), those that are out of use included. */
  keys(): Promise<KeyDocument>
}

interface KeyDocument {
  /** The key that signs now. */
  readonly current: string
  readonly keys: readonly (PublicKey & { readonly use: 'sig'; readonly generation: number })[]
}

/** So many wait while the pictures of another are gone through; together they take less than the time a request is given. */
const MAX_WAITING = 4

/** Keys are made when they are first needed: most processes sign nothing. */
export function createEvidence(options: {
  readonly secret: string
  /** Of the key that signs; each one up to it is published. */
  readonly generation: number
  readonly stamper: Stamper | null
}): Evidence {
  const { secret, generation, stamper } = options
  const made = new Map<number, Promise<SigningKey>>()
  const turns = createTurns(1)
  const keyOf = (number: number): Promise<SigningKey> => {
    let key = made.get(number)
    if (!key) made.set(number, (key = deriveSigningKey(secret, number)))
    return key
  }
  return {
    async inTurn(signal, work) {
      if (turns.waiting < MAX_WAITING) return turns.take(work, signal)
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

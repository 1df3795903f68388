/** Randomness seeded by what it decides, so that any part of the world can be generated alone and in any order. */

/** Mixes up to four integers into one well-spread 32-bit integer. */
export function hash32(a: number, b = 0, c = 0, d = 0): number {
  let h = 0x9e3779b9
  h = stir(h ^ (a | 0))
  h = stir((h + 0x85ebca6b) ^ (b | 0))
  h = stir((h + 0xc2b2ae35) ^ (c | 0))
  h = stir((h + 0x27d4eb2f) ^ (d | 0))
  return h >>> 0
}

function stir(value: number): number {
  let h = value | 0
  h = Math.imul(h ^ (h >>> 16), 0x21f0aaad)
  h = Math.imul(h ^ (h >>> 15), 0x735a2d97)
  return h ^ (h >>> 15)
}

/** splitmix32: four operations per number, and every 32-bit seed gives a full period. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed | 0
  }

  /** A whole 32-bit number. */
  bits(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0
    return stir(this.#state) >>> 0
  }

  /** From 0 inclusive to 1 exclusive. */
  next(): number {
    return this.bits() / 0x1_0000_0000
  }

  /** From 0 inclusive to `below` exclusive. */
  int(below: number): number {
    return Math.floor(this.next() * below)
  }

  /** Both ends inclusive. */
  between(low: number, high: number): number {
    return low + this.int(high - low + 1)
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(items: readonly T[]): T {
    return items[this.int(items.length)] as T
  }

  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next())
  }

  exponential(mean: number): number {
    return -mean * Math.log(1 - this.next())
  }

  poisson(mean: number): number {
    if (mean > 50) return Math.max(0, Math.round(mean + Math.sqrt(mean) * this.normal()))
    const limit = Math.exp(-mean)
    let count = 0
    for (let product = this.next(); product > limit; product *= this.next()) count++
    return count
  }

  /** An index below `size`; the k-th is about k times rarer than the first. */
  zipf(size: number): number {
    return Math.floor(Math.exp(this.next() * Math.log(size + 1))) - 1
  }
}

export function randomOf(a: number, b = 0, c = 0, d = 0): Random {
  return new Random(hash32(a, b, c, d))
}

/** A numeric seed from a word or a number. */
export function seedOf(seed: number | string): number {
  if (typeof seed === 'number') return hash32(seed)
  let h = 0
  for (let i = 0; i < seed.length; i++) h = hash32(h, seed.charCodeAt(i))
  return h
}

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** `length` characters that look like the platform's file tokens. */
export function token(random: Random, length: number): string {
  let out = ''
  while (out.length < length) {
    let bits = random.bits()
    for (let i = 0; i < 5 && out.length < length; i++) {
      out += BASE64URL[bits & 63]
      bits >>>= 6
    }
  }
  return out
}

export function hex(random: Random, length: number): string {
  let out = ''
  while (out.length < length) out += random.bits().toString(16).padStart(8, '0')
  return out.slice(0, length)
}

/** Decimal digits, the first not zero. */
export function digits(random: Random, length: number): string {
  let out = String(random.between(1, 9))
  while (out.length < length) out += String(random.bits() % 1_000_000).padStart(6, '0')
  return out.slice(0, length)
}

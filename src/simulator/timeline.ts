import { DAY_MS, HOUR_MS } from '../model/time.ts'
import type { Draft } from './draft.ts'
import type { SimChannel } from './population.ts'
import { type Random, randomOf } from './random.ts'
import { SHAPES, type Shape, isEditable, isService, pickShape } from './shapes.ts'

/** One thing that a channel published: a post, or an album, which takes several numbers. */
export interface Slot {
  readonly index: number
  readonly at: number
  readonly number: number
  /** How many numbers it takes. */
  readonly size: number
  readonly shape: Shape
  /** When it was deleted; infinity if never. */
  deletedAt: number
  /** When its author edited it, ascending. */
  editedAt: readonly number[]
  /** For posts published by a script: each version of the post, the first as published. */
  readonly script?: Draft[]
}

/** Days are generated up to the time asked for, so an infinite time would never be reached. */
const END_OF_TIME = Date.UTC(2100, 0)
const NEVER: readonly number[] = []

/**
 * A channel's posts in order of time, generated a day at a time as far as they are asked for. Rates are lognormal, follow a
 * daily curve and the weekend, change regime every ten days, and a post triggers further posts (branching 0.3 within about
 * twenty minutes), as in measured channels.
 */
export class Timeline {
  readonly slots: Slot[] = []
  /** Indexes of slots that changed the title. */
  readonly titleChanges: number[] = []
  readonly #seed: number
  readonly #channel: SimChannel
  #day: number
  #nextNumber: number

  constructor(seed: number, channel: SimChannel) {
    this.#seed = seed
    this.#channel = channel
    this.#day = Math.floor(channel.createdAt / DAY_MS)
    this.#nextNumber = channel.firstNumber
    if (channel.firstNumber === 1 && !channel.scripted) this.#add(channel.createdAt, 'created')
  }

  /** The number of slots published up to `at`, including deleted ones: the length of that prefix of `slots`. */
  countUntil(at: number): number {
    if (at > END_OF_TIME) throw new RangeError('the simulated world ends with the year 2099')
    if (!this.#channel.scripted) while (this.#day * DAY_MS <= at) this.#addDay(this.#day++)
    let low = 0
    let high = this.slots.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.slots[middle] as Slot).at <= at) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Appends a scripted post; a time before that of the last post is moved up to it. */
  publish(at: number, draft: Draft, size: number): Slot {
    const last = this.slots.at(-1)
    const slot: Slot = {
      index: this.slots.length,
      at: Math.floor(Math.max(at, last?.at ?? 0) / 1000) * 1000,
      number: this.#nextNumber,
      size,
      shape: draft.kind === 'service' ? 'notice' : 'text',
      deletedAt: Infinity,
      editedAt: NEVER,
      script: [draft],
    }
    this.#nextNumber += size
    this.slots.push(slot)
    return slot
  }

  /** Leaves numbers unused, as posts do that are deleted at once. */
  skip(count: number): void {
    this.#nextNumber += count
  }

  #addDay(day: number): void {
    const channel = this.#channel
    const random = randomOf(this.#seed, 5, channel.index, day)
    const regime = randomOf(this.#seed, 6, channel.index, Math.floor(day / 10))
    const weekend = day % 7 === 2 || day % 7 === 3 ? 0.7 : 1.1
    const mean = channel.postsPerDay * weekend * Math.exp(0.4 * regime.normal()) * 0.7
    const times: number[] = []
    for (let n = random.poisson(mean); n > 0; n--) {
      let at = day * DAY_MS + timeOfDay(random, channel.zone)
      do {
        times.push(at)
        at += random.exponential(20 * 60_000)
      } while (random.chance(0.3) && at < (day + 1) * DAY_MS)
    }
    times.sort((a, b) => a - b)
    for (const time of times) {
      const at = Math.floor(time / 1000) * 1000
      if (at > channel.createdAt) this.#add(at, this.#shape(random))
    }
  }

  #shape(random: Random): Shape {
    if (this.#channel.showcase) return SHAPES[this.slots.length % SHAPES.length] as Shape
    return pickShape(random)
  }

  #add(at: number, shape: Shape): void {
    const index = this.slots.length
    const random = randomOf(this.#seed, 7, this.#channel.index, index)
    const isAlbum = shape === 'album' || shape === 'mixed_album' || shape === 'document_album'
    const size = isAlbum ? random.between(2, random.chance(0.8) ? 5 : 10) : 1
    const slot: Slot = {
      index,
      at,
      number: this.#nextNumber,
      size,
      shape,
      deletedAt: Infinity,
      editedAt: NEVER,
    }
    if (index > 0 && !isService(shape)) {
      if (random.chance(0.03)) slot.deletedAt = later(at, random, 8 * HOUR_MS)
      if (isEditable(shape) && random.chance(0.07)) slot.editedAt = edits(at, random)
    }
    if (shape === 'title_changed') this.titleChanges.push(index)
    this.slots.push(slot)
    this.#nextNumber += size
    // Now and then a number is never seen: its post was deleted in the second it appeared, or is shown nowhere.
    if (index > 0 && random.chance(0.02)) this.#nextNumber += random.between(1, 3)
  }
}

function later(at: number, random: Random, meanMs: number): number {
  return at + Math.ceil((1000 + random.exponential(meanMs)) / 1000) * 1000
}

function edits(at: number, random: Random): readonly number[] {
  const first = later(at, random, 2 * HOUR_MS)
  return random.chance(0.2) ? [first, later(first, random, 12 * HOUR_MS)] : [first]
}

/** A daily curve with an evening peak about fourteen times its night trough, shifted by the channel's time zone. */
function timeOfDay(random: Random, zone: number): number {
  for (;;) {
    const hour = random.next() * 24
    const local = (hour + zone + 24) % 24
    const level = 0.54 - 0.46 * Math.cos(((local - 4) / 24) * 2 * Math.PI)
    if (random.chance(level)) return hour * HOUR_MS
  }
}

import type { ChannelProfile } from '../model/channel.ts'
import type { SimChannel, SimPeer } from './population.ts'
import type { Neighbours } from './relations.ts'

/** Who has a name at a moment. */
export type Named = SimChannel | SimPeer

/** Everybody there is and what they are called: what a world's truth is read from and its script writes to. */
export interface Ground extends Neighbours {
  readonly startAt: number
  readonly peers: readonly SimPeer[]
  /** Who answers to a name; undefined when nobody does. Case does not matter. */
  resolve(name: string, at: number): Named | undefined
  usernameAt(channel: SimChannel, at: number): string
  profileAt(channel: SimChannel, at: number): ChannelProfile
  /** Exact, as profile pages show it. */
  subscribersAt(channel: SimChannel, at: number): number
}

import type { ChannelProfile } from '../model/channel.ts'
import type { SimChannel, SimPeer } from './population.ts'
import type { Neighbours } from './relations.ts'

/** A channel or peer, which has a name. */
export type Named = SimChannel | SimPeer

/** All channels and peers, and their names: what the world's truth reads and its script writes. */
export interface Ground extends Neighbours {
  readonly startAt: number
  readonly peers: readonly SimPeer[]
  /** Who has a name, regardless of case; undefined when nobody does. */
  resolve(name: string, at: number): Named | undefined
  usernameAt(channel: SimChannel, at: number): string
  profileAt(channel: SimChannel, at: number): ChannelProfile
  /** Exact, as profile pages show it. */
  subscribersAt(channel: SimChannel, at: number): number
}

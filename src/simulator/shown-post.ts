import type { Post } from '../model/post.ts'
import type { Draft } from './draft.ts'

/** A post together with what its page needs and the model lacks. */
export interface ShownPost {
  readonly post: Post
  readonly draft: Draft
}

export interface PostFrame {
  /** In the platform's own spelling. */
  readonly username: string
  readonly title: string
  readonly platformId: number
  readonly avatarUrl: string
  readonly color: number
  readonly verified: boolean
  /** When the page is rendered. */
  readonly at: number
  readonly highlight: RegExp | null
  /** Whether it is shown alone in a widget, rather than on the channel's page. */
  readonly embed: boolean
  /** Who wrote it, in a group; such messages have no view token. */
  readonly sender?: string
}

import type { Channel } from '../../model/channel.ts'
import type { ArchivedPostView } from '../../operations/views/archived-post.ts'
import { viewTime, viewTimeOrNull } from '../../operations/views/common.ts'
import type { Frontier } from '../../store/frontier.ts'
import { VERSION } from '../../version.ts'
import type { Column } from './columns.ts'
import type { Written } from './output.ts'

const MANIFEST_FORMAT = 'telegrep-export/1'

/** How many channels are described one by one; of the others the manifest only gives the number. */
const MAX_DESCRIBED = 10_000

type ChannelCoverage = Awaited<ReturnType<typeof describeChannel>>

/**
 * What others need to judge and repeat an export: what was requested, what the archive had of it and what was missing, and
 * the hash of the file. Collected channel by channel while posts are written, in little memory.
 */
export class ManifestDraft {
  readonly #frontier: Pick<Frontier, 'gaps'>
  readonly #described: ChannelCoverage[] = []
  readonly #captures = new Map<string, number>()
  readonly #parsers = new Map<number, number>()
  #channel: Channel | undefined
  #channelPosts = 0
  #channels = 0
  #complete = 0
  #withGaps = 0
  #posts = 0
  #versions = 0
  #first: string | null = null
  #last: string | null = null

  constructor(frontier: Pick<Frontier, 'gaps'>) {
    this.#frontier = frontier
  }

  get posts(): number {
    return this.#posts
  }

  async note(channel: Channel, post: ArchivedPostView): Promise<void> {
    if (this.#channel?.id !== channel.id) {
      await this.#settle()
      this.#channel = channel
    }
    this.#posts++
    this.#channelPosts++
    this.#versions += post.versions?.length ?? 0
    const { capture, parser_version: parser } = post.evidence
    this.#captures.set(capture, (this.#captures.get(capture) ?? 0) + 1)
    this.#parsers.set(parser, (this.#parsers.get(parser) ?? 0) + 1)
    const at = viewTime(Date.parse(post.published_at))
    if (this.#first === null || at < this.#first) this.#first = at
    if (this.#last === null || at > this.#last) this.#last = at
  }

  /** Also lists a requested channel without any posts. */
  async noteEmpty(channel: Channel): Promise<void> {
    if (this.#channel?.id === channel.id) return
    if (this.#described.some(({ username }) => username === channel.username)) return
    await this.#settle()
    this.#channel = channel
  }

  async #settle(): Promise<void> {
    const channel = this.#channel
    if (!channel) return
    this.#channel = undefined
    const described = await describeChannel(channel, this.#channelPosts, this.#frontier)
    this.#channelPosts = 0
    this.#channels++
    if (channel.archiveComplete) this.#complete++
    if (described.gaps.length > 0) this.#withGaps++
    if (this.#described.length < MAX_DESCRIBED) this.#described.push(described)
  }

  async finish(about: {
    readonly query: object
    readonly format: string
    readonly columns: readonly Column[] | null
    readonly madeAt: number
    readonly file: Written
    readonly pictures: object | null
  }): Promise<object> {
    await this.#settle()
    return {
      format: MANIFEST_FORMAT,
      made_by: { program: 'telegrep', version: VERSION, at: viewTime(about.madeAt) },
      query: about.query,
      file: { format: about.format, ...about.file },
      ...(about.pictures && { pictures: about.pictures }),
      ...(about.columns && {
        columns: Object.fromEntries(about.columns.map(({ name, type }) => [name, type])),
      }),
      posts: this.#posts,
      versions: this.#versions,
      first_published_at: this.#first,
      last_published_at: this.#last,
      captures: Object.fromEntries(this.#captures),
      parser_versions: Object.fromEntries(this.#parsers),
      coverage: {
        channels: this.#channels,
        archived_from_their_first_post: this.#complete,
        with_gaps: this.#withGaps,
        not_described: this.#channels - this.#described.length,
      },
      channels: this.#described,
    }
  }
}

async function describeChannel(channel: Channel, posts: number, frontier: Pick<Frontier, 'gaps'>) {
  const gaps = (await frontier.gaps(channel.id)).filter(({ kind }) => kind !== 'refresh')
  return {
    username: channel.username,
    platform_id: channel.platformId,
    title: channel.title,
    status: channel.status,
    posts,
    archive_from: viewTimeOrNull(channel.archiveFrom),
    archive_complete: channel.archiveComplete,
    last_visited_at: viewTimeOrNull(channel.lastVisitedAt),
    /** Ranges of numbers that are still to be read. */
    gaps: gaps.map(({ kind, before, downTo }) => ({ kind, before, down_to: downTo })),
  }
}

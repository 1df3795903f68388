import { getOrMake } from '../../model/get-or-make.ts'
import {
  isPostNumber,
  refKey,
  type ArchivedPost,
  type PostRef,
  type PostVersion,
} from '../../model/post.ts'
import type { Edit } from '../../model/edit.ts'
import type { Derived } from '../archive.ts'
import { strongerKind } from '../changes.ts'
import { isPartOf, membersOf } from './album.ts'
import type { ChangeMark, Known, MemberRow, PostHead, PostRow, VersionRow, Wanted } from './rows.ts'

/** How much of a post changed: `counts` are counters, `content` affects albums and statistics, `body` is all the rest. */
const EXTENTS = ['none', 'counts', 'body', 'content'] as const
type Extent = (typeof EXTENTS)[number]

export interface TouchedPost {
  readonly ref: PostRef
  readonly old: PostRow | undefined
  row: PostRow | undefined
  extent: Extent
  /** Whether it was erased, even if another post has since been put in its place. */
  isErased: boolean
}

/** The posts of a draft. */
export class PostDraft {
  readonly #posts = new Map<number, TouchedPost>()
  readonly #members = new Map<number, { ref: PostRef; old: number | undefined; album?: number }>()
  readonly #changes = new Map<number, ChangeMark>()
  #versions: VersionRow[] = []
  #edits: Edit[] = []
  readonly redacted: PostRef[] = []
  readonly unversioned: PostRef[] = []
  readonly undeleted: PostRef[] = []
  readonly derived: Derived[] = []
  /** Heads of posts erased with their channel, which are not loaded as a whole. */
  readonly erasedHeads: PostHead[] = []

  learn(wanted: Wanted, known: Known): void {
    for (const { post, ...learnt } of known.posts ?? []) {
      const ref = { channelId: post.channelId, number: post.number }
      const row = { post, ...learnt }
      this.#posts.set(refKey(ref), { ref, old: row, row, extent: 'none', isErased: false })
    }
    for (const { album, ...ref } of known.members ?? []) {
      this.#members.set(refKey(ref), { ref, old: album, album })
    }
    for (const { channelId, numbers } of wanted.posts ?? []) {
      for (const number of numbers) this.#cell({ channelId, number })
    }
  }

  /** Numbers that were never asked for: of those given, those listed by known albums, and albums of known members. */
  unknown(channelId: number, numbers: readonly number[]): number[] {
    const named = [...this.#posts.values()]
      .filter(({ ref, row }) => row && ref.channelId === channelId)
      .flatMap(({ row }) => membersOf(row!.post))
    const albums = [...this.#members.values()]
      .filter(({ ref }) => ref.channelId === channelId)
      .flatMap(({ album }) => album ?? [])
    return [...new Set([...numbers, ...named, ...albums])].filter(
      (number) => isPostNumber(number) && !this.#posts.has(refKey({ channelId, number })),
    )
  }

  get(ref: PostRef): PostRow | undefined {
    return this.#posts.get(refKey(ref))?.row
  }

  touched(): TouchedPost[] {
    return [...this.#posts.values()].filter(({ extent }) => extent !== 'none')
  }

  albumOf(ref: PostRef): number | undefined {
    return this.#members.get(refKey(ref))?.album
  }

  /** Whether the post is a member of a known album and has nothing that the album lacks. */
  isPart(post: ArchivedPost): boolean {
    const number = this.albumOf(post)
    const album = number === undefined ? undefined : this.get({ ...post, number })?.post
    return album !== undefined && isPartOf(post, album)
  }

  put(post: ArchivedPost, extent: Exclude<Extent, 'none'>): void {
    const cell = this.#cell(post)
    const { detectedLanguage = null, languageWeight = 0 } = cell.row ?? {}
    if (!cell.row) this.#leave(post)
    cell.row = { post, detectedLanguage, languageWeight }
    cell.extent = EXTENTS[Math.max(EXTENTS.indexOf(cell.extent), EXTENTS.indexOf(extent))]!
  }

  /**
   * Makes the numbers of an album its members. A number with a post of its own is left alone, unless that post is part of the
   * album: then it is erased. Returns how many were.
   */
  settleAlbum(old: ArchivedPost | undefined, next: ArchivedPost, at: number): number {
    const { channelId, number: album } = next
    if (old) this.#leaveAlbum(old)
    let joined = 0
    for (const number of membersOf(next)) {
      const ref = { channelId, number }
      const own = this.get(ref)?.post
      if (own && !isPartOf(own, next)) continue
      if (this.erase(ref, at)) joined++
      this.#member(ref).album = album
    }
    return joined
  }

  erase(ref: PostRef, at: number): boolean {
    const cell = this.#posts.get(refKey(ref))
    if (!cell?.row) return false
    this.#leaveAlbum(cell.row.post)
    cell.row = undefined
    cell.extent = 'content'
    cell.isErased = true
    this.#versions = this.#versions.filter((version) => refKey(version) !== refKey(ref))
    this.#edits = this.#edits.filter((edit) => refKey(edit) !== refKey(ref))
    this.mark(ref, 'post', at)
    return true
  }

  addVersion({ channelId, number }: PostRef, revision: number, version: PostVersion): void {
    this.#versions.push({ channelId, number, revision, ...version })
  }

  addEdit({ channelId, number }: PostRef, edit: Omit<Edit, keyof PostRef>): void {
    this.#edits.push({ channelId, number, ...edit })
  }

  redact(ref: PostRef): void {
    this.redacted.push(ref)
    this.#versions = this.#versions.map((version) =>
      refKey(version) === refKey(ref) ? { ...version, text: null } : version,
    )
    this.#edits = this.#edits.map((edit) =>
      refKey(edit) === refKey(ref) ? { ...edit, named: [] } : edit,
    )
  }

  mark({ channelId, number }: PostRef, kind: ChangeMark['kind'], at: number): void {
    const key = refKey({ channelId, number })
    const waiting = this.#changes.get(key)
    const stands = waiting ? strongerKind(waiting.kind, kind) : kind
    this.#changes.set(key, { channelId, number, kind: stands, at: waiting?.at ?? at })
  }

  writes() {
    const touched = this.touched()
    const rows = (isWanted: (post: TouchedPost, isNew: boolean) => boolean) =>
      touched.flatMap((post) => {
        const isNew = !post.old || post.isErased
        return post.row && isWanted(post, isNew) ? [post.row] : []
      })
    const members = [...this.#members.values()].filter(({ old, album }) => old !== album)
    return {
      erased: [
        ...touched.filter(({ old, isErased }) => old && isErased).map(({ ref }) => ref),
        ...this.erasedHeads.map(({ channelId, number }) => ({ channelId, number })),
      ],
      redacted: this.redacted,
      unversioned: this.unversioned,
      added: rows((_post, isNew) => isNew),
      moved: rows(({ extent }, isNew) => !isNew && extent !== 'counts'),
      reworded: touched
        .filter(({ old, row }) => old && row && old.post.revision !== row.post.revision)
        .map(({ ref }) => ref),
      counted: rows(({ extent }, isNew) => !isNew && extent === 'counts'),
      versions: this.#versions,
      undeleted: this.undeleted,
      edits: this.#edits,
      membersLeft: members.filter(({ album }) => album === undefined).map(({ ref }) => ref),
      members: members.flatMap(({ ref, album }): MemberRow[] =>
        album === undefined ? [] : [{ ...ref, album }],
      ),
      derived: this.derived,
      changes: [...this.#changes.values()],
    }
  }

  #cell({ channelId, number }: PostRef): TouchedPost {
    const ref = { channelId, number }
    return getOrMake(this.#posts, refKey(ref), () => {
      return { ref, old: undefined, row: undefined, extent: 'none', isErased: false }
    })
  }

  #member({ channelId, number }: PostRef) {
    const ref = { channelId, number }
    return getOrMake(this.#members, refKey(ref), () => ({ ref, old: undefined }))
  }

  #leave(ref: PostRef): void {
    delete this.#members.get(refKey(ref))?.album
  }

  #leaveAlbum(album: ArchivedPost): void {
    const { channelId } = album
    for (const number of membersOf(album)) {
      if (this.albumOf({ channelId, number }) === album.number) this.#leave({ channelId, number })
    }
  }
}

import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Clock } from '../../model/clock.ts'
import type { PostRef } from '../../model/post.ts'
import { createTurns } from '../../model/turns.ts'
import { FencedOffError, IndexLockedError } from '../search-index.ts'
import { expectOk, type Client } from './client.ts'
import { FORMAT, sideIndex, type Layout } from './mapping.ts'
import type { Names } from './names.ts'
import { EMPTY_TALLY, type Tally } from './tally.ts'

/** What is kept about the indices of one analyzer version, in one document. */
export interface Meta {
  readonly format: number
  /** Grows with every writer: what one before it still has under way ranks below. */
  readonly token: number
  /** Batches of this writer. */
  readonly batch: number
  /** Who writes, and when that one last showed that it lives; null when it has left. */
  readonly owner: string | null
  readonly beatAt: number
  /** The one that serves, and the last that was begun. */
  readonly generation: number
  readonly lastGeneration: number
  /** Weeks of the one that serves: should one of them not be there, it was lost. */
  readonly weeks: readonly number[]
  readonly complete: boolean
  readonly rebuilding: boolean
  readonly removals: number
  /** As in the index's state. */
  readonly droppedBefore: number
  /** It was begun in the place of one that was lost: it lacks posts until a rebuild has put them in. */
  readonly lacks: boolean
  readonly tally: Tally
  /** A generation that is being filled, as far as whoever goes on has to know it. */
  readonly draft: Draft | null
}

export interface Draft extends Pick<Meta, 'generation' | 'weeks' | 'droppedBefore' | 'removals'> {
  readonly reached: PostRef
}

/** The number a writer's batch has among all batches of all writers; below 2^53 for a million of them. */
export function stampOf({ token, batch }: Pick<Meta, 'token' | 'batch'>): number {
  return token * 2 ** 32 + batch
}

/** Who writes, and which generation serves. */
export interface Control {
  readonly meta: Meta
  /** The stamp of a new batch; rejects when another has become the writer since. */
  nextBatch(change: (meta: Meta) => Partial<Meta>): Promise<number>
  update(change: Partial<Meta>): Promise<void>
  /** Lets the next one write at once. */
  leave(): Promise<void>
}

/** A writer that has been silent so long is taken for dead. */
const LOCK_MS = 15_000
const BEAT_MS = 4_000
/** How often it is tried to become the writer while the document changes under way. */
const TRIES = 5

const EMPTY: Omit<Meta, 'owner' | 'beatAt'> = {
  format: FORMAT,
  token: 0,
  batch: 0,
  generation: 0,
  lastGeneration: 0,
  weeks: [],
  complete: false,
  rebuilding: false,
  removals: 0,
  droppedBefore: 0,
  lacks: false,
  tally: EMPTY_TALLY,
  draft: null,
}

interface Versioned {
  readonly meta: Meta
  readonly seqNo: number
  readonly primaryTerm: number
}

/** Undefined while no writer has been there. */
export async function readMeta(
  client: Client,
  names: Names,
  options: { readonly deadline?: number; readonly signal?: AbortSignal | undefined } = {},
): Promise<Meta | undefined> {
  return (await readVersioned(client, names, options))?.meta
}

async function readVersioned(
  client: Client,
  names: Names,
  options: { readonly deadline?: number; readonly signal?: AbortSignal | undefined } = {},
): Promise<Versioned | undefined> {
  const path = `/${names.meta}/_doc/${names.metaId}`
  const answer = await client.request({ method: 'GET', path, ...options })
  if (answer.status === 404) return undefined
  const found = expectOk<{ _source: Meta; _seq_no: number; _primary_term: number }>(answer)
  const { _seq_no: seqNo, _primary_term: primaryTerm } = found
  // One that an earlier version has written lacks what has come since.
  const meta = { ...EMPTY, ...found._source }
  if (meta.format > FORMAT) {
    throw new Error(
      `the index ${names.alias} was made by a newer version of this program (format ${meta.format}, this one knows ${FORMAT})`,
    )
  }
  return { meta, seqNo, primaryTerm }
}

/** Becomes the writer; rejects with an `IndexLockedError` while another one lives. */
export async function openControl(
  client: Client,
  names: Names,
  { clock, layout }: { readonly clock: Clock; readonly layout: Layout },
): Promise<Control> {
  const owner = `${hostname()} ${process.pid} ${randomUUID()}`
  const patient = () => ({ deadline: soon() })
  /** Changes follow one another: each must name the version that it changes. */
  const turns = createTurns(1)
  let held = await readVersioned(client, names, patient())
  if (!held) await makeIndex(client, names.meta, sideIndex(layout, {}))
  const alias = `/${names.meta}/_alias/${names.metaWrites}`
  expectOk(await client.request({ method: 'PUT', path: alias, ...patient() }))
  await take()

  async function take(): Promise<void> {
    for (let tries = 0; tries < TRIES; tries++) {
      if (held) refuseWhileHeld(held.meta, names, clock)
      const token = (held?.meta.token ?? 0) + 1
      const taken = { token, batch: 0, owner, beatAt: clock.now() }
      if ((await write({ ...(held?.meta ?? EMPTY), ...taken })) || (await isOurs(token))) return
      // By another who begins to write, or by one who has been silent and ends.
      held = await readVersioned(client, names, patient())
    }
    throw new IndexLockedError(`others write the index ${names.alias}`)
  }

  /** False when it has changed since it was read. */
  async function write(meta: Meta): Promise<boolean> {
    const condition = held
      ? `if_seq_no=${held.seqNo}&if_primary_term=${held.primaryTerm}`
      : 'op_type=create'
    const path = `/${names.metaWrites}/_doc/${names.metaId}?require_alias=true&${condition}`
    const answer = await client.request({ method: 'PUT', path, body: meta, ...patient() })
    // Another has written it, or deleted the index.
    if (answer.status === 409 || answer.status === 404) return false
    const { _seq_no: seqNo, _primary_term: primaryTerm } = expectOk<Written>(answer)
    held = { meta, seqNo, primaryTerm }
    return true
  }

  /** What was written may be our own, where the answer to it was lost. */
  async function isOurs(token: number): Promise<boolean> {
    const now = await readVersioned(client, names, patient())
    if (now?.meta.owner !== owner || now.meta.token !== token) return false
    held = now
    return true
  }

  function change(make: (meta: Meta) => Partial<Meta>): Promise<void> {
    return turns.take(async () => {
      for (;;) {
        const { meta } = held!
        if (await write({ ...meta, ...make(meta) })) return
        if (!(await isOurs(meta.token))) throw new FencedOffError()
      }
    })
  }

  const beating = setInterval(() => {
    // Should it fail, the next batch meets the same trouble and tells it.
    change(() => ({ beatAt: clock.now() })).catch(() => undefined)
  }, BEAT_MS)
  beating.unref()

  return {
    get meta() {
      return held!.meta
    },
    async nextBatch(changed) {
      await change((meta) => ({
        ...changed(meta),
        beatAt: clock.now(),
        batch: meta.batch + 1,
      }))
      return stampOf(held!.meta)
    },
    update: (changed) => change(() => changed),
    async leave() {
      clearInterval(beating)
      // Whoever is fenced off has nothing to leave, and a cluster that is away forgets by itself.
      await change(() => ({ owner: null })).catch(() => undefined)
    },
  }
}

interface Written {
  readonly _seq_no: number
  readonly _primary_term: number
}

/** Who writes; null where the last one has left or been silent so long that it is taken for dead. */
export function writerOf({ owner, beatAt }: Meta, now: number): string | null {
  // A beat far in the future was left by a clock that has been set back since.
  return Math.abs(now - beatAt) < LOCK_MS ? owner : null
}

function refuseWhileHeld(meta: Meta, { alias }: Names, clock: Clock): void {
  const owner = writerOf(meta, clock.now())
  if (owner === null) return
  const [host, pid] = owner.split(' ')
  throw new IndexLockedError(`the index ${alias} is being written by process ${pid} of ${host}`)
}

/** An index that another has made meanwhile is as good. */
export async function makeIndex(client: Client, index: string, body: object): Promise<void> {
  const asked = { path: `/${index}`, deadline: soon() }
  const answer = await client.request({ ...asked, method: 'PUT', body })
  const { error } = (answer.body ?? {}) as { error?: { type?: string } }
  if (error?.type === 'resource_already_exists_exception') return
  // While disks are nearly full no index may be made, and one that exists is refused for that, too.
  const isThere =
    answer.status === 403 && (await client.request({ ...asked, method: 'HEAD' })).status === 200
  if (!isThere) expectOk(answer)
}

/** When what a writer asks must be answered: it waits longer than a reader. */
export const soon = () => performance.now() + 30_000

import type { Clock } from '../../model/clock.ts'
import type { PostRef } from '../../model/post.ts'
import { createSemaphore } from '../../model/semaphore.ts'
import { FencedOffError, IndexDamagedError } from '../search-index.ts'
import { expectOk, type Client } from './client.ts'
import { FORMAT, sideIndex, type Layout } from './mapping.ts'
import type { Names } from './names.ts'

/** The state of the indices of one analyzer version, in one document. */
export interface Meta {
  readonly format: number
  /** Grows with every writer: requests that an earlier writer still has in flight get lower versions. */
  readonly token: number
  /** Number of batches of this writer. */
  readonly batch: number
  /** When it last changed this; a writer does so at least once a minute. */
  readonly usedAt: number
  /** The serving generation, and the last one that was started. */
  readonly generation: number
  readonly lastGeneration: number
  /** Weeks of the serving generation: if the index of one of them is missing, it was lost. */
  readonly weeks: readonly number[]
  readonly complete: boolean
  readonly rebuilding: boolean
  /** True if it was started in place of a lost index: it lacks posts until a rebuild has put them in. */
  readonly lacks: boolean
  readonly tally: Tally
  /** A generation that is being filled, with what another writer needs to resume it. */
  readonly draft: Draft | null
}

export interface Draft extends Pick<Meta, 'generation' | 'weeks'> {
  readonly reached: PostRef
}

/** How much a generation holds, as last counted. */
export interface Tally {
  readonly posts: number
  readonly channels: number
  readonly oldestPostAt: number | null
  readonly newestPostAt: number | null
  readonly bytes: number
}

export const EMPTY_TALLY: Tally = {
  posts: 0,
  channels: 0,
  oldestPostAt: null,
  newestPostAt: null,
  bytes: 0,
}

/** Orders the batches of all writers; below 2^53 for a million writers. */
export function stampOf({ token, batch }: Pick<Meta, 'token' | 'batch'>): number {
  return token * 2 ** 32 + batch
}

/**
 * Who writes, and which generation serves. Changes reject with a `FencedOffError` once another process has become the writer,
 * and also once one has failed: nobody knows whether that one was made, but whoever opens this anew reads it.
 */
export interface Control {
  readonly meta: Meta
  /** The stamp of a new batch. */
  nextBatch(change: (meta: Meta) => Partial<Meta>): Promise<number>
  update(change: Partial<Meta>): Promise<void>
}

/** How often becoming the writer is tried while others do the same. */
const TRIES = 5

const EMPTY: Omit<Meta, 'usedAt'> = {
  format: FORMAT,
  token: 0,
  batch: 0,
  generation: 0,
  lastGeneration: 0,
  weeks: [],
  complete: false,
  rebuilding: false,
  lacks: false,
  tally: EMPTY_TALLY,
  draft: null,
}

interface Versioned {
  readonly meta: Meta
  readonly seqNo: number
  readonly primaryTerm: number
}

/** Undefined if there has been no writer yet. */
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
  // A document written by an earlier version lacks newer fields.
  const meta = { ...EMPTY, ...found._source }
  if (meta.format > FORMAT) {
    throw new Error(
      `the index ${names.alias} was made by a newer version of this program (format ${meta.format}, this one knows ${FORMAT})`,
    )
  }
  return { meta, seqNo, primaryTerm }
}

/** Becomes the writer, and fences off any earlier one. */
export async function openControl(
  client: Client,
  names: Names,
  { clock, layout }: { readonly clock: Clock; readonly layout: Layout },
): Promise<Control> {
  const patient = () => ({ deadline: writerDeadline() })
  /** Changes are made one after another: each must name the version that it changes. */
  const semaphore = createSemaphore(1)
  let held = await readVersioned(client, names, patient())
  /** Why it is not known what became of the last change. */
  let doubt: Error | undefined
  if (!held) await makeIndex(client, names.meta, sideIndex(layout, {}))
  await ask(client, 'PUT', `/${names.meta}/_alias/${names.metaWrites}`)
  await take()

  async function take(): Promise<void> {
    for (let tries = 0; tries < TRIES; tries++) {
      const token = (held?.meta.token ?? 0) + 1
      const taken = { token, batch: 0, usedAt: clock.now() }
      if (await write({ ...(held?.meta ?? EMPTY), ...taken })) return
      // Changed by another process that starts to write, or by one that was paused.
      held = await readVersioned(client, names, patient())
    }
    throw new FencedOffError()
  }

  /** False if the document has changed since it was read, or its index was deleted. */
  async function write(meta: Meta): Promise<boolean> {
    const condition = held
      ? `if_seq_no=${held.seqNo}&if_primary_term=${held.primaryTerm}`
      : 'op_type=create'
    const path = `/${names.metaWrites}/_doc/${names.metaId}?require_alias=true&${condition}`
    const request = { method: 'PUT', path, body: meta, once: true } as const
    const answer = await client.request({ ...request, ...patient() })
    // Another process has written the document, or the index was deleted.
    if (answer.status === 409 || answer.status === 404) return false
    const { _seq_no: seqNo, _primary_term: primaryTerm } = expectOk<Written>(answer)
    held = { meta, seqNo, primaryTerm }
    return true
  }

  function change(make: (meta: Meta) => Partial<Meta>): Promise<void> {
    return semaphore.run(async () => {
      if (doubt) throw new FencedOffError(`its last change may be lost: ${doubt.message}`)
      const { meta } = held!
      try {
        if (await write({ ...meta, ...make(meta), usedAt: clock.now() })) return
      } catch (error) {
        doubt = error as Error
        throw error
      }
      if (await readVersioned(client, names, patient())) throw new FencedOffError()
      throw new IndexDamagedError(`the index ${names.meta} is gone`)
    })
  }

  return {
    get meta() {
      return held!.meta
    },
    async nextBatch(changed) {
      await change((meta) => ({ ...changed(meta), batch: meta.batch + 1 }))
      return stampOf(held!.meta)
    },
    update: (changed) => change(() => changed),
  }
}

interface Written {
  readonly _seq_no: number
  readonly _primary_term: number
}

/** An index that another process has made meanwhile is just as good. */
export async function makeIndex(client: Client, index: string, body: object): Promise<void> {
  const asked = { path: `/${index}`, deadline: writerDeadline() }
  const answer = await client.request({ ...asked, method: 'PUT', body })
  const { error } = (answer.body ?? {}) as { error?: { type?: string } }
  if (error?.type === 'resource_already_exists_exception') return
  // While disks are nearly full no index can be made; the same refusal then comes for an index that exists.
  const isThere =
    answer.status === 403 && (await client.request({ ...asked, method: 'HEAD' })).status === 200
  if (!isThere) expectOk(answer)
}

/** The deadline of a writer's request: a writer waits longer than a reader. */
export const writerDeadline = () => performance.now() + 30_000

/** A writer's request that must succeed. */
export async function ask<T>(
  client: Client,
  method: 'GET' | 'PUT' | 'POST' | 'DELETE',
  path: string,
  body?: object,
): Promise<T> {
  const request = { method, path, deadline: writerDeadline(), ...(body && { body }) }
  return expectOk<T>(await client.request(request))
}

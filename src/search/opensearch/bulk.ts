import type { Clock } from '../../model/clock.ts'
import { IndexRefusedError } from '../search-index.ts'
import {
  expectOk,
  IndexUnavailableError,
  isClosedOrBlocked,
  refusalOfUser,
  type Client,
} from './client.ts'
import { writerDeadline } from './control.ts'

/** A document to be written whole, unless a later version of that id exists. */
export interface Put {
  /** The index to write to, or an alias of it. */
  readonly index: string
  readonly id: string
  readonly version: number
  readonly source: object
}

interface BulkOptions {
  readonly client: Client
  readonly clock: Clock
  /** Maximum size of one request. */
  readonly maxBytes?: number
  /** Called with a document that the engine will never accept, and why. */
  readonly onRefused?: ((id: string, why: string) => void) | undefined
}

const MAX_BYTES = 5_000_000
const MIN_BYTES = 100_000
const TRIES = 6
const BACKOFF_MS = 100

/**
 * Writes documents, one request at a time. What the engine has no room for is retried with back-off and in smaller
 * requests. A document that exists in a later version counts as written; a malformed one is reported and left out, so
 * that the others need not wait for it for ever. If its blank is refused as well, nothing is wrong with the document but
 * with the index, and it is retried like the others. Rejects if any other document could not be written.
 */
export function createBulk(options: BulkOptions) {
  const { client, clock, maxBytes = MAX_BYTES, onRefused } = options
  let bytes = maxBytes
  /** At most what the engine, or a proxy before it, accepts as one request. */
  let most = maxBytes
  /** Why documents were last refused. */
  let refusal = ''

  async function ask(lines: readonly Line[]): Promise<readonly Item[]> {
    const answer = await client.request({
      method: 'POST',
      path: '/_bulk?filter_path=items.*.status,items.*.error&require_alias=true',
      body: lines.map(({ text }) => text).join(''),
      deadline: writerDeadline(),
    })
    if (answer.status === TOO_LARGE) {
      const sent = lines.reduce((sum, line) => sum + line.bytes, 0)
      most = Math.max(MIN_BYTES, Math.min(most, sent / 2))
      throw new IndexUnavailableError(`a request of ${sent} bytes is too large for it`)
    }
    const { items } = expectOk<{ items: readonly Record<string, Item>[] }>(answer)
    return items.map((item) => Object.values(item)[0]!)
  }

  /** Resolves to the documents that have to be sent again. */
  async function send(lines: readonly Line[]): Promise<readonly Line[]> {
    try {
      const items = await ask(lines)
      const malformed = lines.filter((_, i) => isMalformed(items[i]!))
      const tried = malformed.length === 0 ? [] : await ask(malformed.map(blankOf))
      const blanks = new Map(malformed.map((line, i) => [line, tried[i]!]))
      return lines.filter((line, i) => {
        const item = items[i]!
        const blank = blanks.get(line)
        const isAgain = blank ? isMalformed(blank) || isRejected(blank) : isRejected(item)
        if (isAgain) refusal = `: ${reasonOf(item)}`
        else if (blank) onRefused?.(line.put.id, reasonOf(item))
        return isAgain
      })
    } catch (error) {
      if (error instanceof IndexUnavailableError) {
        refusal = `: ${error.message}`
        return lines
      }
      throw error
    }
  }

  return {
    /** At most one document per id. */
    async write(puts: readonly Put[]): Promise<void> {
      let waiting: readonly Line[] = puts.map(lineOf)
      for (let tries = 0; waiting.length > 0; tries++) {
        if (tries === TRIES) {
          throw new IndexUnavailableError(
            `it does not take ${waiting.length} documents now${refusal}`,
          )
        }
        if (tries > 0) await clock.sleep(BACKOFF_MS * 2 ** tries)
        const rejected: Line[] = []
        for (const part of inParts(waiting, bytes)) rejected.push(...(await send(part)))
        bytes =
          rejected.length > 0
            ? Math.max(MIN_BYTES, Math.min(most, bytes / 2))
            : Math.min(most, bytes * 2)
        waiting = rejected
      }
    },
  }
}

interface Item {
  readonly status: number
  readonly error?: { readonly type: string; readonly reason: string }
}

const CONFLICT = 409
const TOO_LARGE = 413
const MALFORMED = 400

function isMalformed({ status, error }: Item): boolean {
  return status === MALFORMED && !isClosedOrBlocked(status, error?.type)
}

function isRejected(item: Item): boolean {
  const { status } = item
  // Closed or blocked by an operator: nothing is wrong with the document, which comes again once that is undone.
  if (isClosedOrBlocked(status, item.error?.type)) return true
  // The same goes for an index that the user has no right to write.
  if (refusalOfUser({ status, body: item }) !== undefined) return true
  if (status < 300 || status === CONFLICT) return false
  if (status === 429 || status === 503) return true
  throw new IndexRefusedError(`OpenSearch refuses a document: ${reasonOf(item)}`)
}

function reasonOf({ error }: Item): string {
  return `${error?.type}: ${error?.reason}`
}

interface Line {
  readonly put: Put
  readonly text: string
  readonly bytes: number
}

function lineOf(put: Put): Line {
  const { index, id, version, source } = put
  // The same batch may be sent again: a version that exists already is no conflict.
  const action = { _index: index, _id: id, version, version_type: 'external_gte' }
  const text = `${JSON.stringify({ index: action })}\n${JSON.stringify(source)}\n`
  return { put, text, bytes: Buffer.byteLength(text) }
}

/** A word, and valid as bytes. As a value of `live` it keeps a blank from being found. */
const ANY = 'AAAA'

/** The same fields with values that nothing can be wrong with, to be put in place of a document that was refused. */
function blankOf({ put }: Line): Line {
  const blank = Object.entries(put.source).map(([name, value]) => {
    if (typeof value === 'string') return [name, ANY]
    if (Array.isArray(value)) return [name, [ANY]]
    return [name, typeof value === 'number' ? 0 : value]
  })
  return lineOf({ ...put, source: Object.fromEntries(blank) as object })
}

function* inParts(lines: readonly Line[], bytes: number): Generator<readonly Line[]> {
  let part: Line[] = []
  let size = 0
  for (const line of lines) {
    if (part.length > 0 && size + line.bytes > bytes) {
      yield part
      part = []
      size = 0
    }
    part.push(line)
    size += line.bytes
  }
  if (part.length > 0) yield part
}

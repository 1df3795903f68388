import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { errorOf, type AppError, type ErrorCode } from './errors.ts'
import { DAY_MS } from './time.ts'

/**
 * Opaque page cursors: signed, so that a caller cannot steer a scan; bound to their query, so that a walk
 * stays one walk; dated, so that they may expire.
 */
export interface CursorCodec {
  encode(query: unknown, position: readonly (number | string)[]): string
  /** Throws `invalid_cursor`, `cursor_expired` or `cursor_mismatch`. */
  decode(cursor: string, query: unknown): readonly (number | string)[]
}

const VERSION = 1
const MAC_BYTES = 12
export const CURSOR_LIFETIME_MS = 7 * DAY_MS

export function createCursorCodec(secret: string, now: () => number): CursorCodec {
  const mac = (body: Buffer) =>
    createHmac('sha256', secret).update('cursor').update(body).digest().subarray(0, MAC_BYTES)

  return {
    encode(query, position) {
      const body = Buffer.from(JSON.stringify([VERSION, now(), digest(query), ...position]))
      return Buffer.concat([mac(body), body]).toString('base64url')
    },
    decode(cursor, query) {
      const bytes = Buffer.from(cursor, 'base64url')
      const body = bytes.subarray(MAC_BYTES)
      const isOurs =
        cursor.length <= 2048 &&
        bytes.length > MAC_BYTES &&
        bytes.toString('base64url') === cursor &&
        timingSafeEqual(bytes.subarray(0, MAC_BYTES), mac(body))
      if (!isOurs) throw wrong('invalid_cursor', 'the cursor was not made by this service')
      const [version, madeAt, queryDigest, ...position] = JSON.parse(body.toString()) as [
        number,
        number,
        string,
        ...(number | string)[],
      ]
      if (version !== VERSION || now() - madeAt > CURSOR_LIFETIME_MS) {
        throw wrong('cursor_expired', 'the cursor is too old, start the walk again without it')
      }
      if (queryDigest !== digest(query)) {
        throw wrong(
          'cursor_mismatch',
          'the cursor belongs to another query; repeat what was asked for the page before, all but limit, format and detail',
        )
      }
      return position
    },
  }
}

function digest(query: unknown): string {
  return createHash('sha256').update(JSON.stringify(query)).digest('base64url').slice(0, 16)
}

function wrong(code: ErrorCode, detail: string): AppError {
  return errorOf({ parameter: 'cursor', code, detail })
}

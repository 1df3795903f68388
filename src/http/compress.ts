import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import { bestOf, qualitiesOf } from './qualities.ts'

const THRESHOLD = 1024

const gzipAsync = promisify(gzip)
const brotliAsync = promisify(brotliCompress)
const zstdAsync = promisify(zstdCompress)

/** In order of preference, by time per byte saved. */
const CODINGS = ['zstd', 'br', 'gzip'] as const
type Coding = (typeof CODINGS)[number]

/** Low levels, since replies are small and made once. They run on libuv's thread pool, not on the event loop. */
const COMPRESS: Readonly<Record<Coding, (bytes: Buffer) => Promise<Buffer>>> = {
  zstd: (bytes) => zstdAsync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
  br: (bytes) =>
    brotliAsync(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 3,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes) => gzipAsync(bytes, { level: 2 }),
}

/**
 * A body that is the same for every caller: made when first requested, so that a start does not wait for it, and compressed
 * once per coding.
 */
export interface Prepared {
  readonly bytes: Buffer
  readonly compressed: Map<Coding, Promise<Buffer>>
}

export function prepare(make: () => string): Prepared {
  let bytes: Buffer | undefined
  return {
    get bytes() {
      return (bytes ??= Buffer.from(make()))
    },
    compressed: new Map(),
  }
}

interface Made {
  readonly body: string | Buffer
  readonly coding: Coding | null
}

async function choosePrepared(
  { bytes, compressed }: Prepared,
  acceptEncoding: string | null,
): Promise<Made> {
  const coding = acceptEncoding === null ? null : preferred(acceptEncoding)
  if (coding === null || bytes.length < THRESHOLD) return { body: bytes, coding: null }
  let made = compressed.get(coding)
  if (!made) {
    compressed.set(coding, (made = COMPRESS[coding](bytes)))
    // A failed compression is tried again for the next request.
    made.catch(() => compressed.delete(coding))
  }
  return { body: await made, coding }
}

export async function compress(
  body: string | Prepared,
  acceptEncoding: string | null,
): Promise<Made> {
  if (typeof body !== 'string') return choosePrepared(body, acceptEncoding)
  if (acceptEncoding === null || body.length < THRESHOLD / 4) return { body, coding: null }
  const coding = preferred(acceptEncoding)
  if (coding === null) return { body, coding }
  const bytes = Buffer.from(body)
  if (bytes.length < THRESHOLD) return { body, coding: null }
  return { body: await COMPRESS[coding](bytes), coding }
}

function preferred(acceptEncoding: string): Coding | null {
  const liked = qualitiesOf(acceptEncoding)
  return bestOf(CODINGS, (coding) => liked.get(coding) ?? liked.get('*') ?? 0) ?? null
}

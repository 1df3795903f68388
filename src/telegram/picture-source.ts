import type { Sniffed } from './sniff-picture.ts'

/** Where pictures are read from: only the platform's own hosts for files. */
export interface PictureSource extends AsyncDisposable {
  /** One picture. An address outside the platform is refused without a request. Rejects only with the signal's reason. */
  picture(url: string, signal?: AbortSignal): Promise<PictureOutcome>
}

/**
 * The outcome of a request for a picture; `read` is how many bytes were received.
 * - `refused`: not a picture of a kind or size that is kept. A retry would give the same.
 * - `gone`: the address has expired; the platform will show another in time.
 * - `throttled`: wait, for the whole source.
 * - `failed`: the network or the server failed; try again later.
 */
export type PictureOutcome = { readonly read: number } & (
  | ({ readonly kind: 'picture'; readonly bytes: Buffer } & Sniffed)
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'gone' }
  | { readonly kind: 'throttled'; readonly retryAfterMs: number | null }
  | { readonly kind: 'failed'; readonly why: string }
)

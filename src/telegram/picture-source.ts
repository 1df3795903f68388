import type { Sniffed } from './sniff-picture.ts'

/** Where pictures are read from: the platform's own hosts for files, and no other. */
export interface PictureSource extends AsyncDisposable {
  /** One picture; an address that is not the platform's is refused unasked. Never rejects but with the signal's reason. */
  picture(url: string, signal?: AbortSignal): Promise<PictureOutcome>
}

/**
 * What asking for a picture met; `read` is how many bytes came.
 * - `refused`: what is there is no picture that is kept. The same would come again.
 * - `gone`: the address has died; the platform gives another in time.
 * - `throttled`: wait, for the whole source.
 * - `failed`: the network or the server did; try again later.
 */
export type PictureOutcome = { readonly read: number } & (
  | ({ readonly kind: 'picture'; readonly bytes: Buffer } & Sniffed)
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'gone' }
  | { readonly kind: 'throttled'; readonly retryAfterMs: number | null }
  | { readonly kind: 'failed'; readonly why: string }
)

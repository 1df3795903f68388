/** What every part of a page needs to render itself. */
export interface RenderContext {
  readonly now: number
  /** Videos play from the platform's CDN. */
  readonly showMedia: boolean
}

/** What every part of a page is shown by. */
export interface Look {
  readonly now: number
  /** Films play from the platform's CDN. */
  readonly showMedia: boolean
}

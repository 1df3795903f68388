/** Posts are kept by week of publication: what has left the window goes a whole bucket at a time. */
export const BUCKET_S = 7 * 24 * 3600

export function bucketOf(sec: number): number {
  return Math.floor(sec / BUCKET_S)
}

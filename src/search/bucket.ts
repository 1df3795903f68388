import { DAY_S } from '../model/time.ts'

/** Posts are kept by week of publication: what has left the window goes a whole bucket at a time. */
export const BUCKET_S = 7 * DAY_S

export function bucketOf(sec: number): number {
  return Math.floor(sec / BUCKET_S)
}

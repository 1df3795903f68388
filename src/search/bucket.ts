import { DAY_S } from '../model/time.ts'

/** Posts are stored by week of publication, so that posts which have left the window are dropped a whole bucket at a time. */
export const BUCKET_S = 7 * DAY_S

export function bucketOf(sec: number): number {
  return Math.floor(sec / BUCKET_S)
}

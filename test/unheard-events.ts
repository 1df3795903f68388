import type { CrawlEvents } from '../src/crawl/crawl-events.ts'
import type { PictureEvents } from '../src/crawl/picture-keeper.ts'

/** For tests that listen to some of the events, or to none. */

export const UNHEARD_CRAWL: CrawlEvents = {
  visitFinished() {},
  paused() {},
  candidateDecided() {},
  crashed() {},
}

export const UNHEARD_PICTURES: PictureEvents = {
  pictureAsked() {},
  picturesHeld() {},
  workerFailed() {},
}

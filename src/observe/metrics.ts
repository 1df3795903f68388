import {
  createCounter as counter,
  createGauge as gauge,
  createHistogram as histogram,
} from './instruments.ts'
import { createProcessMetrics } from './process-metrics.ts'

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const DELAYS = [10, 30, 60, 300, 900, 1800, 3600, 7200, 21_600, 86_400]

/**
 * Every metric, declared once. Labels have few values: never a channel's name, never a query. Counters and histograms
 * describe this process; gauges describe the whole service, but for that of the clock.
 */
export function declareMetrics() {
  return {
    requests: counter('telegrep_requests_total', 'requests answered', 'operation', 'status'),
    requestSeconds: histogram(SECONDS, 'telegrep_request_seconds', 'time to answer', 'operation'),
    shed: counter('telegrep_requests_shed_total', 'requests refused under load'),
    visits: counter('telegrep_visits_total', 'visits by what they met', 'outcome'),
    upstreamRequests: counter(
      'telegrep_upstream_requests_total',
      'requests to the platform',
      'purpose',
    ),
    throttled: counter(
      'telegrep_upstream_throttled_total',
      'times the platform asked to slow down',
    ),
    parseWarnings: counter(
      'telegrep_parse_warnings_total',
      'things on pages that could not be read',
      'warning',
    ),
    postsAdded: counter('telegrep_posts_added_total', 'posts archived'),
    postsChanged: counter('telegrep_posts_changed_total', 'new versions of posts archived'),
    postsDeleted: counter('telegrep_posts_deleted_total', 'deletions confirmed'),
    postDelay: histogram(DELAYS, 'telegrep_post_delay_seconds', 'publication to archive'),
    indexed: counter('telegrep_posts_indexed_total', 'posts put into the index'),
    indexPending: gauge('telegrep_index_pending_changes', 'changes the index has not been told'),
    indexLag: gauge('telegrep_index_lag_seconds', 'age of the oldest change not indexed'),
    indexDamaged: counter(
      'telegrep_index_damaged_total',
      'times the index was found damaged or lost, and built anew',
    ),
    searchablePosts: gauge('telegrep_searchable_posts', 'posts in the index'),
    deliveries: counter(
      'telegrep_deliveries_total',
      'what watches sent, failed to send, and gave up',
      'sink',
      'outcome',
    ),
    deliveriesWaiting: gauge(
      'telegrep_deliveries_waiting',
      'deliveries that wait to be sent, and dead letters',
      'state',
    ),
    watchLag: gauge(
      'telegrep_watch_lag_seconds',
      'age of the oldest event that no watch was told of',
    ),
    watches: gauge('telegrep_watches', 'saved searches'),
    picturesAsked: counter(
      'telegrep_pictures_asked_total',
      'pictures asked for, by what came',
      'outcome',
    ),
    pictureBytesRead: counter('telegrep_picture_bytes_read_total', 'bytes of them'),
    pictureFiles: gauge('telegrep_picture_files', 'pictures kept'),
    pictureBytes: gauge('telegrep_picture_bytes', 'bytes of kept pictures'),
    picturesWaiting: gauge('telegrep_pictures_waiting', 'pictures still to be fetched'),
    picturesMissing: gauge('telegrep_pictures_missing', 'pictures that could not be had'),
    clockAhead: gauge(
      'telegrep_clock_ahead_seconds',
      'how far the clock of this process is ahead of that of the platform or the database',
      'other',
    ),
    channels: gauge('telegrep_channels', 'channels by status', 'status'),
  }
}

export function createMetrics() {
  const declared = declareMetrics()
  const ofProcess = createProcessMetrics()
  const all = Object.values(declared)
  return {
    ...declared,
    /** All metrics and those of the process, as they are now. */
    text: () => ofProcess.text() + all.map((each) => each.text()).join(''),
    /** For all processes but the one that measures the whole service: gauges summed over several processes would be wrong. */
    forgetGauges() {
      for (const each of all) if ('forget' in each) each.forget()
    },
  }
}
export type Metrics = ReturnType<typeof createMetrics>

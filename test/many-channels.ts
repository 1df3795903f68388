import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ALL_CHANNELS, type ChannelQuery } from '../src/store/archive.ts'
import { openStore } from '../src/store/open-store.ts'
import type { Store } from '../src/store/store.ts'
import { createStillClock } from '../src/simulator/clocks.ts'

/** A store of very many channels, created in bulk, and all that a running service asks of it. */

export const NOW = Date.UTC(2026, 3, 1, 12)
const SYLLABLES =
  'bakadagafahalamanaparasatavazabekedegefehelemenepereseteveze' +
  'bikidigifihiliminipirisitivizibokodogofoholomonoporosotovozobukudugu'
const COUNT = SYLLABLES.length / 2

export interface ManyChannels extends AsyncDisposable {
  readonly store: Store
  readonly folder: string
}

export async function openManyChannels(channels: number): Promise<ManyChannels> {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-many-'))
  const retention = { deleted: 'redact', versions: 'keep' } as const
  const open = () => openStore({ kind: 'sqlite', folder, retention, clock: createStillClock(NOW) })
  await (await open())[Symbol.asyncDispose]()
  fill(join(folder, 'store.db'), channels)
  fillLedger(join(folder, 'ledger.db'), channels / 20)
  const store = await open()
  return {
    store,
    folder,
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Names of six syllables; titles of two words, one of which every fifth channel shares; one language in a thousand is rare. */
function fill(path: string, channels: number): void {
  using db = new DatabaseSync(path)
  db.exec('pragma synchronous = off; pragma cache_size = -65536; pragma temp_store = memory; begin')
  const syllable = (number: string) => `substr('${SYLLABLES}', 1 + 2 * ((${number}) % ${COUNT}), 2)`
  const name = [0, 1, 2, 3, 4, 5].map((i) => syllable(`i / ${COUNT ** Math.min(i, 3)} + ${i} * i`))
  db.exec(`create temp table made as
    with recursive n (i) as (select 1 union all select i + 1 from n where i < ${channels})
    select i, ${name.join(' || ')} || 'x' || i || 'x' as name,
      ${syllable('i * 7')} || ${syllable('i * 13')} || ${syllable(`i / ${COUNT}`)} as word,
      iif(i % 5 = 0, 'news', 'notes') as shared from n;
    insert into channels (id, username, name_key, title, description, verified, subscribers, counts, status, language,
        added_at, last_post_at)
      select i, name, name, word || ' ' || shared, '', i % 50 = 0, i * 7919 % 1000003,
        '{"subscribers":null,"photos":null,"videos":null,"files":null,"links":null}', iif(i % 9 = 0, 'queued', 'active'),
        iif(i % 1000 = 0, 'is', iif(i % 3 = 0, 'en', 'ru')), i, iif(i % 2, null, i) from made;
    insert into channel_words select i, ' ' || name, ' ' || word || ' ' || shared, '' from made;
    insert into channel_names select name, name, i, 0 from made order by name;
    insert into schedules (channel_id, next_visit_at, earliest_visit_at, seen, exposure_days, seen_fast,
        exposure_fast_days, fails, last_failure, demand)
      select i, ${NOW} + (i - ${channels / 2}) * 1000, ${NOW}, 1, 1, 1, 1, i % 7 = 0, 'throttled', 0 from made;
    insert into gaps (channel_id, kind, before_number, down_to) select i, 'backfill', 100, 1 from made;
    insert into candidates (name_key, name, gain, sources, first_seen_at, decided_until)
      select 'seen_' || name, 'seen_' || name, i % 97, 1, ${NOW}, 0 from made order by name;
    insert into sightings select i, 'seen_' || name, 'mention', ${NOW} from made;
    insert into channel_features select i, 4, 'everyone', i % 1000 from made;
    insert into channel_languages select i, iif(i % 3 = 0, 'en', 'ru'), 1, 100 from made;
    insert into channel_days select i, ${Math.floor(NOW / 86_400_000)}, i, i from made;
    insert into told select i % 50, i, 1, null, i from made where i % 20 = 0;
    insert or ignore into channel_starts select start, i from (
      select substr(name, k, 8) as start, i from made join (select value as k from json_each('[1,2,3,4,5,6]'))
      union all select substr(word, 1, 8), i from made union all select shared, i from made) order by start, i;
    drop table made;
    commit; pragma wal_checkpoint(truncate)`)
}

/** Callers whose windows have all ended. */
function fillLedger(path: string, callers: number): void {
  using db = new DatabaseSync(path)
  db.exec(`pragma synchronous = off; insert into usage
    with recursive n (i) as (select 1 union all select i + 1 from n where i < ${callers})
    select printf('%08x', i * 7919 % 1000003), 'daily' || i % 7, 0, i, 1 from n where true on conflict do nothing`)
}

export const browse = (fields: Partial<ChannelQuery>): ChannelQuery => ({
  ...ALL_CHANNELS,
  limit: 20,
  ...fields,
})

/** Queries by name; a failure is reported under that name. */
export function asked({
  archive,
  frontier,
  changes,
  ledger,
  deliveries,
}: Store): Record<string, () => Promise<unknown>> {
  const list = (fields: Partial<ChannelQuery>) => () => archive.channels(browse(fields))
  return {
    'a word that no channel has': list({ words: ['zzzqq'], sort: 'subscribers' }),
    'a word that no channel has, by relevance': list({ words: ['zzzqq'], sort: 'relevance' }),
    'a word that every fifth channel has': list({ words: ['news'], sort: 'relevance' }),
    'a common word by date': list({ words: ['news'], sort: 'added' }),
    'two common words that no channel has both': list({ words: ['news', 'notes'], sort: 'added' }),
    'the beginning of very many words': list({ words: ['ba'], sort: 'relevance' }),
    'a single letter': list({ words: ['b'], sort: 'relevance' }),
    'three letters inside names': list({ words: ['aka'], sort: 'relevance' }),
    'a common and a rare word': list({ words: ['news', 'bakadaga'], sort: 'relevance' }),
    'a rare language': list({ lang: ['is'], sort: 'newest_post' }),
    'a language that no channel has': list({ lang: ['fo'] }),
    'filters that no channel passes': list({ verified: true, maxSubscribers: 0 }),
    'what is active since tomorrow': list({ activeSince: NOW * 2 }),
    'channels of a status': list({ status: ['queued'], sort: 'username' }),
    languages: () => archive.languages(NOW),
    totals: () => archive.totals(),
    'the state of the frontier': () => frontier.overview(NOW),
    'a sample of schedules': () => frontier.sample(2_000),
    'leases of visits': () => frontier.lease({ owner: 'a', limit: 20, ttlMs: 60_000, eager: true }),
    'names that two channels brought': () =>
      frontier.candidates({ limit: 3, minSources: 2, now: NOW }),
    'names that nobody brings any more': () => frontier.forgetCandidates(1_000, NOW * 2),
    'windows of callers that have ended': () => ledger.sweep(),
    'what watches told long ago': () => deliveries.expire(NOW),
    'what waits for the index': () => changes.pending('index-1', 10_000),
  }
}

/**
 * PostgreSQL's full-text search over the same posts: a tsvector in the post's language, a GIN index, ts_rank. Times are
 * taken inside the server, around the statement alone. Words are analysed beforehand, in the language of the post they
 * come from, which a searcher would not know. Both favour PostgreSQL.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HAS_VALUES, IS_VALUES } from '../src/model/query.ts'
import type { IndexDocument } from '../src/search/search-index.ts'
import type { Taken } from './search-latency.ts'
import { askedOf, copyLine, createConfigs, type Asked } from './search-postgres-query.ts'
import {
  openPostgres,
  type PostgresServer,
  type PostgresSession,
} from './search-postgres-server.ts'
import type { Rival } from './search-rivals.ts'

const FLAGS = [
  ...HAS_VALUES.map((value) => `has_${value}`),
  ...IS_VALUES.map((value) => `is_${value}`),
]

const CREATE = `
  begin;
  create table stage (id int, channel_id int, language text, published_at bigint,
    ${FLAGS.map((flag) => `${flag} boolean`).join(', ')}, config regconfig, body text);
  copy stage from stdin;
`

const FINISH = `\\.
  create table posts as
    select id, channel_id, language, published_at, ${FLAGS.join(', ')}, to_tsvector(config, body) tsv
    from stage;
  drop table stage;
  create index on posts using gin (tsv) with (fastupdate = off);
  create index on posts (channel_id);
  create index on posts (published_at);
  commit;
  vacuum analyze posts;
`

/** The best twenty posts that hold all words and, if there are fewer, the best twenty that hold some. */
const MEASURE = `
  create temp table asked (n int, config regconfig, words text[], some_of text[], phrases text[], filter text);
  create function pg_temp.took(asked, out all_ms float, out some_ms float) language plpgsql as $$
  declare
    required tsquery := '';
    all_words tsquery := '';
    some_words tsquery := '';
    each text;
    hits int;
    best text := 'select id from posts where tsv @@ $1' || $1.filter || ' order by ts_rank(tsv, $1) desc limit 20';
    started timestamptz;
  begin
    foreach each in array $1.phrases loop required := required && phraseto_tsquery($1.config, each); end loop;
    foreach each in array $1.words loop all_words := all_words && phraseto_tsquery($1.config, each); end loop;
    foreach each in array $1.some_of loop some_words := some_words || phraseto_tsquery($1.config, each); end loop;
    all_words := required && all_words;
    some_words := required && some_words;
    started := clock_timestamp();
    execute best using all_words;
    get diagnostics hits = row_count;
    all_ms := extract(epoch from clock_timestamp() - started) * 1000;
    some_ms := 0;
    if hits < 20 and some_words <> all_words then
      started := clock_timestamp();
      execute best using some_words;
      some_ms := extract(epoch from clock_timestamp() - started) * 1000;
    end if;
  end $$;
`

/** `keep` is the folder in which its data stay. */
export async function createPostgres(bin: string, keep: string | undefined): Promise<Rival> {
  const folder = keep ?? mkdtempSync(join(tmpdir(), 'telegrep-postgres-'))
  const server = await openPostgres(bin, folder)
  const isFilled = (await server.run(`select to_regclass('posts') is not null;`)).trim() === 't'
  const names = (await server.run('select cfgname from pg_ts_config;')).trim().split('\n')
  const configOf = createConfigs(new Set(names))
  let session: PostgresSession | undefined
  let lines: string[] = []
  let count = 0

  async function flush(): Promise<void> {
    session ??= await begin(server)
    await session.write(lines.join(''))
    lines = []
  }

  return {
    isFilled,
    add(document: IndexDocument, text: string) {
      lines.push(copyLine(++count, document, text, configOf(document.language)))
      return lines.length < 2_000 ? undefined : flush()
    },
    async finish() {
      await flush()
      await session!.write(FINISH)
      await session!.end()
    },
    async time(corpus) {
      const asked = corpus.queries.map((query) => askedOf(corpus, query, configOf(query.language)))
      const took = await measure(server, asked)
      const line = (msOf: (each: Took) => number): Taken[] =>
        took.map((each, i) => ({ kind: corpus.queries[i]!.kind, ms: msOf(each) }))
      return {
        'PostgreSQL, all words': line((each) => each.allMs),
        'PostgreSQL, all words then some': line((each) => each.allMs + each.someMs),
      }
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      if (keep === undefined) rmSync(folder, { recursive: true })
    },
  }
}

async function begin(server: PostgresServer): Promise<PostgresSession> {
  const session = server.open()
  await session.write(CREATE)
  return session
}

interface Took {
  readonly allMs: number
  readonly someMs: number
}

/** Runs all queries twice in one session; the first pass warms it up, as the index is. */
async function measure(server: PostgresServer, asked: readonly Asked[]): Promise<Took[]> {
  const rows = asked.map((each, i) => JSON.stringify({ n: i, ...each }))
  const pass = 'select took.* from asked, lateral pg_temp.took(asked) took order by n;'
  const printed = await server.run(`${MEASURE}
    insert into asked select * from json_populate_recordset(null::asked, $json$[${rows.join(',')}]$json$);
    create temp table warm as ${pass}
    ${pass}`)
  return printed
    .trim()
    .split('\n')
    .map((line) => {
      const [allMs, someMs] = line.split('|').map(Number)
      return { allMs: allMs!, someMs: someMs! }
    })
}

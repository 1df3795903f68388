import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { ApiError } from '../client/api-error.ts'
import { ConfigError, readConfig } from '../config.ts'
import { AppError, errorOf } from '../model/errors.ts'
import { hinted, type Hint } from '../model/hint.ts'
import { OperatorError } from '../operator-error.ts'
import { IndexRefusedError } from '../search/search-index.ts'
import { NotFoundError, UsageError } from './command.ts'
import { exitFor, explain, explainMessage } from './explain.ts'

const going = new AbortController().signal
const stopped = AbortSignal.abort(new Error('stopped by SIGINT'))

test('each kind of failure maps to its exit code', () => {
  assert.equal(exitFor(new UsageError('x'), going), 'usage')
  assert.equal(exitFor(new AppError('invalid_query', 'x'), going), 'usage')
  assert.equal(exitFor(new AppError('post_deleted', 'x'), going), 'not_found')
  assert.equal(exitFor(new NotFoundError('x'), going), 'not_found')
  assert.equal(exitFor(new OperatorError('x'), going), 'failed')
  assert.equal(exitFor(new Error('x'), going), 'failed')
})

test('only errors caused by the abort exit as interrupted after Ctrl-C', () => {
  assert.equal(exitFor(stopped.reason, stopped), 'interrupted')
  assert.equal(exitFor(new DOMException('aborted', 'AbortError'), stopped), 'interrupted')
  assert.equal(exitFor(new Error('x', { cause: stopped.reason }), stopped), 'interrupted')
  assert.equal(exitFor(new Error('the disk is full'), stopped), 'failed')
  assert.equal(exitFor(new DOMException('aborted', 'AbortError'), going), 'failed')
})

test('a full disk is told in a sentence, whoever met it', (t) => {
  const errorOfWriting = (write: () => void): unknown => {
    try {
      write()
    } catch (error) {
      return error
    }
    throw new Error('the disk is not full')
  }
  const said = 'the disk is full: what was to be written is not complete'
  const database = new DatabaseSync(':memory:')
  t.after(() => database.close())
  database.exec('pragma max_page_count = 1')
  assert.equal(explain(errorOfWriting(() => database.exec('create table t (x)'))), said)
  if (!existsSync('/dev/full')) return
  assert.equal(explain(errorOfWriting(() => writeFileSync('/dev/full', 'x'))), said)
})

const LIVE = {
  operation: 'get_live_channel',
  input: { username: 'durov' },
  does: 'reads it now',
} as const
const OLDER = { operation: 'list_channel_posts', input: {}, does: 'has older posts' } as const

test('a hint suggests commands instead of paths of the API', () => {
  const told = (code: string, hint: Hint, sentence = 'is not there') =>
    explainMessage({ code, ...hinted(sentence, hint) })
  assert.match(
    told('channel_not_indexed', LIVE),
    /^is not there; .* add durov indexes it, .* live durov reads it now$/,
  )
  assert.match(told('channel_not_read_yet', LIVE), /^is not there; .* live durov reads it now$/)
  assert.match(told('window_clipped', OLDER), /; .* export <channel> has older posts$/)
  const input = { username: 'durov', slug: '342' }
  const post = { operation: 'get_post', input, does: 'shows the post itself' } as const
  assert.match(told('query_is_name', post), /; .* post durov\/342 shows the post itself$/)
  const channel = { operation: 'get_channel', input, does: 'describes it' } as const
  assert.match(told('query_is_name', channel), /; .* channel durov describes it$/)
  const byTitle = { operation: 'list_channels', input: {}, does: 'finds channels' } as const
  assert.match(told('invalid_username', byTitle), /; .* channels finds channels$/)
  assert.equal(
    told('one_channel', { parameter: 'exclude_channel', does: 'shows others' }, 'all are of x'),
    'all are of x; --exclude-channel shows others',
  )
  assert.equal(
    told('all_words_required', { parameter: 'sort', value: 'relevance', does: 'finds some' }),
    'is not there; --sort relevance finds some',
  )
})

test('only the hint is put into other words', () => {
  const detail = 'read as text: "why does sort=views fail; /v1/channels/durov/live reads it now"'
  assert.equal(explainMessage({ code: 'query_repaired', detail }), detail)
  // Of a server with other words.
  assert.equal(explainMessage({ code: 'channel_not_indexed', detail, hint: LIVE }), detail)
})

test('an error suggests commands instead of paths of the API', () => {
  const { detail, hint } = hinted('durov has no post 1 here', LIVE)
  const error = new AppError('post_not_found', detail, { hint })
  assert.match(explain(error), /^durov has no post 1 here; .* live durov reads it now$/)
  assert.doesNotMatch(explain(error), /\/v1\//)
  const byTitle = { operation: 'list_channels', input: {}, does: 'finds channels' } as const
  const item = hinted('"A b" is no name', byTitle)
  const titled = errorOf({ parameter: 'username', code: 'invalid_username', ...item })
  assert.match(explain(titled), /is no name; .* channels finds channels$/)
})

test('an error names a flag as it was typed, and a variable by its name', () => {
  const { config } = readConfig({})
  const told = (error: Error) => explain(error, { flags: { data: 'x' }, config })
  assert.equal(told(new OperatorError('TELEGREP_DATA /x: no')), '--data /x: no')
  assert.equal(told(new OperatorError('TELEGREP_HOST h is none')), 'TELEGREP_HOST h is none')
  assert.match(
    told(new ConfigError(['TELEGREP_DATA /x', 'TELEGREP_TIERS y'])),
    /^ {2}--data \/x\n {2}TELEGREP_TIERS y$/m,
  )
  const both = 'choose another with TELEGREP_DATA or --data'
  assert.equal(told(new OperatorError(both)), both)
})

test('commands suggested in answers of a server use --url', () => {
  const { config } = readConfig({})
  const url = 'http://localhost:8080'
  const call = { flags: { url }, config, url }
  const hint = { ...LIVE, input: { username: 'nobody' } }
  const problem = { code: 'channel_not_indexed', ...hinted('nobody is not indexed here', hint) }
  const told = explain(new ApiError(404, problem, null), call)
  assert.match(told, /^nobody is not indexed here; .* live nobody --url \S+ reads it now \(\w+\)$/)
  assert.doesNotMatch(told, /\/v1\/| add /)
  const clipped = { code: 'window_clipped', ...hinted('clipped', OLDER) }
  assert.equal(explainMessage(clipped, call), clipped.detail)
})

test('an error of a server that requires a key says how to give one', () => {
  const problem = { code: 'key_required', detail: 'send a key as `Authorization: Bearer <key>`' }
  assert.equal(
    explain(new ApiError(401, problem, null)),
    'this server needs a key: give it with --key or TELEGREP_KEY (key_required)',
  )
})

test('an error about a missing index says which commands build it', () => {
  const error = new AppError(
    'unavailable',
    'the index is built anew from the archive: no index is there',
    {
      extra: { reason: 'index_rebuilding' },
    },
  )
  assert.match(explain(error), /built from the archive: .* serve does it, or .* reindex at once$/)
})

test('a query that cannot be read comes with one to try, another value with the one that was meant', () => {
  const wrong = (parameter: string, code: 'invalid_query' | 'invalid_parameter', near: string) => {
    const item = { parameter, code, detail: 'expected another, found "x"', suggestion: near }
    return explain(new AppError(code, 'x', { errors: [item] }))
  }
  assert.equal(wrong('q', 'invalid_query', 'x y'), 'expected another, found "x"; try: x y')
  assert.equal(
    wrong('sort', 'invalid_parameter', 'newest'),
    '--sort: expected another, found "x"; did you mean newest?',
  )
})

test('an invalid parameter is reported by the name of its flag if it has one', () => {
  const wrong = (parameter: string) =>
    new AppError('invalid_parameter', 'x', {
      errors: [{ parameter, code: 'invalid_parameter', detail: 'expected a name' }],
    })
  assert.equal(explain(wrong('exclude_channel')), '--exclude-channel: expected a name')
  const errors = [
    { parameter: 'min_views', code: 'invalid_parameter', detail: 'expected a number' },
  ]
  const told = { code: 'invalid_parameter', detail: '`min_views`: expected a number', errors }
  assert.equal(
    explain(new ApiError(400, told, null)),
    '--min-views: expected a number (invalid_parameter)',
  )
  for (const operand of ['q', 'username', 'slug'])
    assert.equal(explain(wrong(operand)), 'expected a name')
})

test('expected errors are shown as one sentence, bugs with a stack trace', () => {
  assert.equal(
    explain(new OperatorError('port 1 is in use', { cause: new Error() })),
    'port 1 is in use',
  )
  assert.equal(explain(Object.assign(new Error('EACCES: no'), { code: 'EACCES' })), 'EACCES: no')
  assert.match(
    explain(new IndexRefusedError('OpenSearch refuses: too many shards')),
    /^OpenSearch refuses: too many shards; correct its settings, .* reindex$/,
  )
  assert.match(explain(new TypeError('x is not a function', { cause: 'x' })), /\n +at /)
})

test('suggested commands name the same data folder as the call', () => {
  const call = { flags: { data: 'my data' }, config: { dataFolder: '/srv/my data' } } as never
  const { detail, hint } = hinted('the channel durov is not indexed here', LIVE)
  const lost = new AppError('channel_not_indexed', detail, { hint })
  assert.match(
    explain(lost, call),
    /^the channel durov is not indexed here; .* add durov --data '\/srv\/my data' indexes it, .* live durov --data '\/srv\/my data' reads it now$/,
  )
  assert.doesNotMatch(explain(lost), /--data/)
})

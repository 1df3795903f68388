import assert from 'node:assert/strict'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { test } from 'node:test'
import { describeUnsupportedFile } from './unsupported-file.ts'

const post = '{"channel": "durov", "id": 342, "date": "2026-10-01T12:00:00Z", "text": "Hello"}'

test('a file of another kind is recognised, with advice on how to import it', () => {
  const cases: [string, RegExp][] = [
    [gzipSync(post).toString('latin1'), /compressed file; .*zcat/],
    [zstdCompressSync(post).toString('latin1'), /compressed file; .*zstdcat/],
    [`[\n  ${post},\n  ${post}\n]\n`, /a list; .*jq -c/],
    [`[${post}]`, /a list/],
    ['{"data":[{"id":"durov/342"}],"meta":{}}', /a reply of the API.*format=ndjson&detail=full/],
    ['{\n  "data": [\n', /a reply of the API/],
    ['id,url,channel,channel_title\ndurov/342,…', /CSV; .*NDJSON/],
    ['\xef\xbb\xbfid,url,channel,channel_title\n', /CSV/],
    ['<!DOCTYPE html>\n<html>', /HTML/],
    ['PAR1…', /Parquet/],
    ['PK\x03\x04…', /ZIP/],
  ]
  for (const [head, told] of cases) assert.match(describeUnsupportedFile(head) ?? 'nothing', told)
})

test('one post per line, a Desktop export and partly invalid lines are accepted as imports', () => {
  const heads = [post, `\xef\xbb\xbf${post}`, `# a list\n${post}`, '', 'id: 342\n']
  const desktop = ['{\n "name": "A",\n "type": "public_channel",\n "messages": [', '{"messages":[']
  for (const head of [...heads, ...desktop])
    assert.equal(describeUnsupportedFile(head), undefined, head)
})

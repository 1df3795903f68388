import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wordings } from './wordings.ts'

/** The difference alone, without its markup. */
function difference(before: string, after: string): string {
  const [, shown = ''] =
    /class="wording diff"[^>]*>(.*?)<\/div>/s.exec(`${wordings('v', before, after)}`) ?? []
  return shown.replaceAll(/<(ins|del)>(.*?)<\/\1>/gs, '[$1 $2]')
}

test('unchanged text beside a change is cut between words', () => {
  const long = 'После сухих дней фермеры наконец дождались дождя. '.repeat(20).trim()
  assert.equal(
    difference(long, `${long} UPD: ещё`),
    ' […] дождались дождя. После сухих дней фермеры наконец дождались дождя. После сухих дней фермеры наконец дождались дождя.[ins  UPD: ещё]',
  )
  assert.match(
    difference(`Было ${long}`, `Стало ${long}`),
    /^\[del Было\] \[ins Стало\] После .* После сухих дней \[…\] $/,
  )
})

test('unchanged text without spaces is cut between characters', () => {
  const long = '😀'.repeat(300)
  assert.ok(difference(`${long} a${long}`, `${long} b${long}`).isWellFormed())
  assert.match(difference('水'.repeat(500), `${'水'.repeat(500)} b`), /^ \[…\] 水{120}\[ins/)
})

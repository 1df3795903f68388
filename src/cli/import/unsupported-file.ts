const REPLY =
  'a reply of the API as JSON; ask for format=ndjson&detail=full, which can be read line by line'

/** Kinds of files that are mistaken for an import, by their first bytes, and what to do with each. */
const KINDS: readonly (readonly [string | RegExp, string])[] = [
  ['\x1f\x8b', 'a compressed file; unpack it on the way: zcat <file> | telegrep import -'],
  [
    '\x28\xb5\x2f\xfd',
    'a compressed file; unpack it on the way: zstdcat <file> | telegrep import -',
  ],
  ['PK\x03\x04', 'a ZIP; unpack it first'],
  ['PAR1', 'a Parquet file; what telegrep export writes as NDJSON can be read back'],
  ['id,url,channel,', 'CSV; what telegrep export writes as NDJSON can be read back'],
  [/^\s*</, 'HTML or XML; Telegram Desktop exports as JSON, too'],
  [/^\s*\[/, "a list; each post has a line of its own: jq -c '.[]' <file> | telegrep import -"],
  [/^\s*\{\s*"data"\s*:/, REPLY],
]

/**
 * What a file is that cannot be imported, and how to get at its posts. Reported once: otherwise every line would be rejected
 * for a different parsing problem, or accepted by chance.
 */
export function describeUnsupportedFile(head: string): string | undefined {
  const begins = head.replace(/^\xef\xbb\xbf/, '')
  const [, what] = KINDS.find(([sign]) => beginsWith(begins, sign)) ?? []
  return what === undefined ? undefined : `this is ${what}`
}

function beginsWith(text: string, sign: string | RegExp): boolean {
  return typeof sign === 'string' ? text.startsWith(sign) : sign.test(text)
}

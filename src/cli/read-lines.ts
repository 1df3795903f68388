interface Line {
  /** 1-based. */
  readonly number: number
  readonly text: string
  /** Longer than the limit; its text was dropped. */
  readonly tooLong: boolean
}

/** Lines of a stream in constant memory, whatever their length. Invalid UTF-8 becomes U+FFFD. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  maxChars: number,
): AsyncGenerator<Line> {
  const decoder = new TextDecoder()
  let number = 1
  let rest = ''
  let tooLong = false
  const line = (text: string): Line => ({ number: number++, text: tooLong ? '' : text, tooLong })
  for await (const chunk of chunks) {
    const parts = decoder.decode(chunk, { stream: true }).split('\n')
    for (const [i, part] of parts.entries()) {
      if (i > 0) {
        yield line(rest)
        rest = ''
        tooLong = false
      }
      if (rest.length + part.length > maxChars) {
        tooLong = true
        rest = ''
      } else if (!tooLong) rest += part
    }
  }
  rest += decoder.decode()
  if (rest !== '' || tooLong) yield line(rest)
}

/** One event of a stream. */
export interface StreamEvent {
  readonly event: string
  /** Its data, parsed as JSON. */
  readonly data: unknown
  /** The id of this event, or of the last one that had an id. */
  readonly id: string | undefined
}

/** Parses server-sent events from chunks of text. */
interface EventParser {
  /** The id of the last event, whether yielded or not; a reader resumes with it. */
  readonly lastEventId: string | undefined
  /** How long to wait before reconnecting, if the server said so. */
  readonly retryMs: number | undefined
  feed(text: string): StreamEvent[]
}

export function createEventParser(): EventParser {
  let rest = ''
  let event = 'message'
  let data: string[] = []
  let id: string | undefined
  let lastEventId: string | undefined
  let retryMs: number | undefined

  function take(line: string): StreamEvent | undefined {
    if (line === '') {
      lastEventId = id ?? lastEventId
      const told =
        data.length > 0 ? { event, data: readJson(data.join('\n')), id: lastEventId } : undefined
      event = 'message'
      data = []
      return told
    }
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? []
    if (field === 'data') data.push(value)
    else if (field === 'event') event = value
    else if (field === 'id') id = value
    else if (field === 'retry' && /^\d+$/.test(value)) retryMs = Number(value)
    return undefined
  }

  return {
    get lastEventId() {
      return lastEventId
    },
    get retryMs() {
      return retryMs
    },
    feed(text) {
      // A CR at the end of a chunk may be half of a CRLF.
      const lines = (rest + text).split(/\r\n|\n|\r(?!$)/)
      rest = lines.pop()!
      return lines.flatMap((line) => take(line) ?? [])
    },
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

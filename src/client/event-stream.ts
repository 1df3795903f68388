/** One event of a stream, as its lines said. */
export interface StreamEvent {
  readonly event: string
  /** What was sent with it, read as JSON. */
  readonly data: unknown
  /** Of this event, or of the last that had one. */
  readonly id: string | undefined
}

/** Reads server-sent events out of pieces of text. */
interface EventParser {
  /** The id of the last event, told or not: with it a reader goes on. */
  readonly lastEventId: string | undefined
  /** How long to wait before going on, where the server said so. */
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
      const lines = (rest + text).split(/\r\n|\n|\r/)
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

import { parseJson } from '../model/parse-json.ts'

/** `data-view`: base64url JSON `{"c":-<channel id>,"p":<number>,"t":<render time>,"h":<hash>}`. */
export function readView(
  data: string | undefined,
): { platformId: number | null; renderedAt: number | null } | undefined {
  if (data === undefined || data.length > 1024) return undefined
  const view = parseJson(Buffer.from(data, 'base64url').toString('utf8'))
  if (typeof view !== 'object' || view === null) return undefined
  const { c, t } = view as { c?: unknown; t?: unknown }
  const isId = typeof c === 'number' && Number.isSafeInteger(c) && c !== 0
  const isTime = typeof t === 'number' && t > 0 && t < 1e11
  return { platformId: isId ? Math.abs(c) : null, renderedAt: isTime ? t * 1000 : null }
}

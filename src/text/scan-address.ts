import { classOf, DIGIT, LETTER } from './characters.ts'
import { cut } from './fold.ts'
import type { Sink } from './sink.ts'
import { trimAddress } from './trim-address.ts'
import { hostOf } from './urls.ts'

/**
 * Addresses in running text. The labels of the host and the name of a channel become words of the text; the words of a path
 * are indexed after the text (`link-words.ts`).
 */

const SCHEME = /(?:https?|tg):\/\/[^\s<>"«»“”]{1,2048}/iy
/** Without a scheme only well-known endings count, else "end.Next" would be one. Lengths bound the backtracking. */
const BARE =
  /(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62})\.){1,5}(?:com|org|net|info|biz|me|io|ai|app|dev|tv|co|gov|edu|int|ru|su|рф|ua|укр|by|kz|uz|kg|tj|az|am|ge|md|lv|lt|ee|ir|iq|sy|tr|il|ae|sa|eg|qa|in|pk|id|my|vn|th|cn|tw|hk|jp|kr|uk|us|ca|au|de|fr|it|es|pt|br|mx|ar|cl|nl|be|ch|at|pl|cz|sk|hu|ro|bg|rs|hr|gr|se|no|dk|fi|eu|et|ng|ke|za|xyz|online|site|news|media|world|live|link|shop|store|blog|pro|top|club|ly|gl|gg|cc|ws|to|fm|im|sh)(?![\p{L}\p{N}-])(?:[/?#][^\s<>"«»“”]{0,2048})?/iuy
const CHANNEL_LINK =
  /^(?:https?:\/\/)?(?:t|telegram)\.me\/(?:s\/)?([a-z][a-z0-9_]{3,31})(?![a-z0-9_])/i

/** Returns the end of the address that begins at `start`, 0 when none does. */
export function scanAddress(text: string, start: number, sink: Sink): number {
  const found = addressAt(text, start)
  if (found === undefined) return 0
  const host = hostOf(found)
  if (host === undefined) return 0
  const end = start + found.length
  sink.entity(cut(`site:${host}`), start, end)
  const authority = found.indexOf('://') < 0 ? start : start + found.indexOf('://') + 3
  const pathAt = found.slice(authority - start).search(/[/?#]/)
  emitWords(text, authority, pathAt < 0 ? end : authority + pathAt, sink)
  const channel = CHANNEL_LINK.exec(found)
  if (channel) {
    const name = channel[1]!
    const at = start + channel[0].length - name.length
    sink.entity(`@${name.toLowerCase()}`, at, at + name.length)
    emitWords(text, at, at + name.length, sink)
  }
  return end
}

/** The address that begins at `start`, with a scheme or a well-known ending. */
export function addressAt(text: string, start: number): string | undefined {
  const unit = text.charCodeAt(start) | 0x20
  if (unit === 0x68 || unit === 0x74) {
    SCHEME.lastIndex = start
    const found = SCHEME.exec(text)
    if (found) return trimAddress(found[0])
  }
  if (!hasInnerDot(text, start)) return undefined
  BARE.lastIndex = start
  if (text.charCodeAt(start - 1) === 0x40) return undefined
  const bare = BARE.exec(text)
  return bare ? trimAddress(bare[0]) : undefined
}

/** Whether a dot follows this word and a letter follows the dot. Checked first, because most words fail it. */
function hasInnerDot(text: string, start: number): boolean {
  const last = Math.min(text.length, start + 64)
  for (let i = start + 1; i < last; i++) {
    const unit = text.charCodeAt(i)
    if (unit === 0x2e) return classOf(text.charCodeAt(i + 1)) === LETTER
    const found = classOf(unit)
    if (found !== LETTER && found !== DIGIT && unit !== 0x2d) return false
  }
  return false
}

function emitWords(text: string, from: number, to: number, sink: Sink): void {
  let start = -1
  for (let i = from; i <= to; i++) {
    const found = i < to ? classOf(text.charCodeAt(i)) : 0
    if (found === LETTER || found === DIGIT) {
      if (start < 0) start = i
    } else if (start >= 0) {
      if (text.slice(start, i).toLowerCase() !== 'www') sink.word(start, i, false)
      start = -1
    }
  }
}

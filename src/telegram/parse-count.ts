import { MAX_COUNT, type Count } from '../model/count.ts'

const SCALE: Readonly<Record<string, number>> = { K: 1e3, M: 1e6, B: 1e9 }
const SHOWN = /^(\d[\d.,]*)(?:([KMB])(?![\p{L}\p{N}])|(?=$|\s+[A-Za-z]{4}))/u
/** Digits, also in groups, of which the last has three. Any other sign among them is a decimal point. */
const WHOLE = /^(?:\d+|\d{1,3}(?:[.,]\d{2,3})*[.,]\d{3})$/

/**
 * Reads `8`, `15K`, `2.49K`, `436,6K`, `11 286 994 subscribers`, `no members`. An abbreviated number is approximate, a plain
 * one exact. Undefined when there is no number, or when it is in an unknown form such as `1.2k` or `12 тыс.`: its digits alone
 * would pass for an exact count, a thousand times too small.
 */
export function parseCount(raw: string, at: number): Count | undefined {
  const text = raw.slice(0, 64).trim()
  const joined = text.replace(/(?<=[\d.,])[\s\u00a0\u202f]+(?=\d|[KMB](?!\p{L}))/gu, '')
  const shown = SHOWN.exec(joined)
  if (!shown) return /^no\s/.test(text) ? count(0, false, 'no', at) : undefined
  const digits = shown[1]!.replace(/[.,]+$/, '')
  const scale = shown[2] ? SCALE[shown[2]]! : 1
  if (scale === 1 && !WHOLE.test(digits)) return undefined
  // With a letter the sign is a decimal point; without one it can only group thousands.
  const value = scale > 1 ? Number(digits.replace(',', '.')) : Number(digits.replace(/[.,]/g, ''))
  const scaled = Math.round(value * scale)
  // Written so that NaN, from text such as 1.2.3K, is rejected too.
  if (!(scaled <= MAX_COUNT)) return undefined
  return count(scaled, scale > 1, text.replace(/\s+\p{Ll}.*$/su, ''), at)
}

const UNITS: Readonly<Record<string, number>> = {
  B: 1,
  KB: 1024,
  MB: 1024 ** 2,
  GB: 1024 ** 3,
  TB: 1024 ** 4,
}

/** Reads `1.4 MB`; undefined for anything else, such as a performer's name. */
export function parseSize(raw: string, at: number): Count | undefined {
  const shown = /^(\d{1,9}(?:[.,]\d{1,9})?)\s*([KMGT]?B)$/.exec(raw.trim())
  if (!shown) return undefined
  const unit = UNITS[shown[2]!]!
  const value = Math.round(Number(shown[1]!.replace(',', '.')) * unit)
  if (value > MAX_COUNT) return undefined
  return count(value, unit > 1, raw.trim(), at)
}

/** Reads `0:27` and `1:02:05` as seconds. */
export function parseDuration(raw: string): number | null {
  const shown = /^(?:(\d{1,3}):)?(\d{1,3}):(\d{2})$/.exec(raw.trim())
  if (!shown) return null
  return Number(shown[1] ?? 0) * 3600 + Number(shown[2]) * 60 + Number(shown[3])
}

function count(value: number, approx: boolean, raw: string, asOf: number): Count {
  return { value, approx, raw, asOf }
}

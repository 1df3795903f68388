import { MAX_COUNT, type Count } from '../model/count.ts'
import { clipText } from '../model/cut-text.ts'

/** Readers for the untrusted values of an export. */

export type Fields = Readonly<Record<string, unknown>>

const MAX_ITEMS = 100

export function string(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? clipText(value, 4_096) : null
}

/** A string or number as a string. Empty for lists and objects: converting them may throw or overflow the stack. */
export function plain(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

export function count(value: unknown, asOf: number): Count | null {
  if (typeof value !== 'number' || !Number.isInteger(value)) return null
  if (value < 0 || value > MAX_COUNT) return null
  return { value, approx: false, raw: String(value), asOf }
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]).slice(0, MAX_ITEMS) : []
}

import type { PostRef } from '../../../model/post.ts'
import type { Writes } from '../../plan/rows.ts'
import { MAX_TRIES, type PictureRef, type Pictures, type WantedPicture } from '../../pictures.ts'
import type { KeptPictureRow, PictureState } from './picture-state.ts'
import { refKey, type MemoryState } from './state.ts'

export function createPictures({ pictures: state }: MemoryState): Pictures {
  const rows = () => [...state.rows.values()]
  const isHeld = (sha256: string) => rows().some((row) => row.sha256 === sha256)
  const wanted = (picture: WantedPicture) => {
    const row = state.rows.get(keyOf(picture))
    return row?.name === picture.name && row.dueAt !== null ? row : undefined
  }
  return {
    async due(now, limit) {
      return rows()
        .filter(({ dueAt }) => dueAt !== null && dueAt <= now)
        .toSorted((a, b) => b.dueAt! - a.dueAt! || byKey(a, b))
        .slice(0, limit)
        .map(({ channelId, number, slot, name, tries }) => ({
          channelId,
          number,
          slot,
          name,
          tries,
        }))
    },
    async keep(picture, file) {
      const row = wanted(picture)
      if (!row) {
        state.unused.add(file.sha256)
        return false
      }
      if (!state.files.has(file.sha256)) state.files.set(file.sha256, file)
      state.unused.delete(file.sha256)
      if (row.sha256 !== null && row.sha256 !== file.sha256) state.unused.add(row.sha256)
      Object.assign(row, { sha256: file.sha256, dueAt: null, tries: 0 })
      return true
    },
    async miss(picture, missed) {
      const row = wanted(picture)
      if (!row) return
      if (missed.kind === 'refused') Object.assign(row, { dueAt: null, isRefused: true })
      else {
        row.dueAt = missed.retryAt
        row.tries += Number(missed.kind === 'failed')
      }
    },
    async of(refs) {
      const asked = new Set(refs.map(({ channelId, number }) => refKey(channelId, number)))
      return rows()
        .filter((row) => row.sha256 !== null && asked.has(refKey(row.channelId, row.number)))
        .toSorted(byKey)
        .map(({ channelId, number, slot, name, sha256 }) => ({
          channelId,
          number,
          slot,
          name,
          file: state.files.get(sha256!)!,
        }))
    },
    async file(sha256) {
      return isHeld(sha256) ? state.files.get(sha256) : undefined
    },
    async used(hashes) {
      return new Set(hashes.filter(isHeld))
    },
    async sample(limit) {
      return [...state.files.values()]
        .toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1))
        .slice(0, limit)
    },
    async unused(limit) {
      for (const sha256 of state.unused) if (isHeld(sha256)) state.unused.delete(sha256)
      const some = [...state.unused].slice(0, limit)
      for (const sha256 of some) state.files.delete(sha256)
      return some
    },
    async forget(hashes, now) {
      for (const sha256 of hashes) {
        state.unused.delete(sha256)
        state.files.delete(sha256)
      }
      for (const row of rows())
        if (row.sha256 !== null && hashes.includes(row.sha256))
          Object.assign(row, { sha256: null, dueAt: now })
    },
    async spend(day, bytes) {
      state.days.set(day, (state.days.get(day) ?? 0) + bytes)
    },
    async totals(day) {
      const files = [...state.files.values()]
      const all = rows()
      return {
        files: files.length,
        bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
        waiting: all.filter(({ dueAt }) => dueAt !== null).length,
        missing: all.filter(({ dueAt, sha256 }) => dueAt === null && sha256 === null).length,
        dayBytes: state.days.get(day) ?? 0,
      }
    },
  }
}

export function writePictures({ pictures: state }: MemoryState, writes: Writes): void {
  for (const { from, to } of writes.picturesMoved) movePictures(state, from, to)
  for (const ref of [...writes.erased, ...writes.redacted]) dropPictures(state, ref, () => true)
  for (const channelId of writes.forgotten)
    dropPictures(state, { channelId, number: 0 }, () => true)
  for (const { channelId, number, wanted, at } of writes.pictures) {
    const ref = { channelId, number }
    dropPictures(state, ref, ({ slot }) => !wanted.some((picture) => picture.slot === slot))
    for (const { slot, name } of wanted) want(state, { ...ref, slot }, name, at)
  }
}

function want(state: PictureState, ref: PictureRef, name: string, at: number): void {
  const row = state.rows.get(keyOf(ref))
  if (row?.name === name) {
    const isFailed = row.sha256 === null && row.dueAt === null && !row.isRefused
    if (isFailed && row.tries < MAX_TRIES) row.dueAt = at
    return
  }
  const isLasting = ref.number === 0
  if (row && row.sha256 !== null && !isLasting) state.unused.add(row.sha256)
  const sha256 = isLasting ? (row?.sha256 ?? null) : null
  state.rows.set(keyOf(ref), { ...ref, name, sha256, tries: 0, dueAt: at, isRefused: false })
}

function movePictures(state: PictureState, from: PostRef, to: PostRef): void {
  for (const row of picturesAt(state, from)) {
    const moved = { ...row, channelId: to.channelId, number: to.number }
    if (state.rows.has(keyOf(moved))) continue
    state.rows.delete(keyOf(row))
    state.rows.set(keyOf(moved), moved)
  }
}

function dropPictures(
  state: PictureState,
  ref: PostRef,
  isDropped: (row: KeptPictureRow) => boolean,
): void {
  for (const row of picturesAt(state, ref)) {
    if (!isDropped(row)) continue
    state.rows.delete(keyOf(row))
    if (row.sha256 !== null) state.unused.add(row.sha256)
  }
}

function picturesAt(state: PictureState, { channelId, number }: PostRef): KeptPictureRow[] {
  return [...state.rows.values()].filter(
    (row) => row.channelId === channelId && row.number === number,
  )
}

function keyOf({ channelId, number, slot }: PictureRef): string {
  return `${refKey(channelId, number)}/${slot}`
}

function byKey(a: PictureRef, b: PictureRef): number {
  return a.channelId - b.channelId || a.number - b.number || a.slot - b.slot
}

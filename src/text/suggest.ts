/** "Did you mean": the nearest of a few names. */

const MAX_LENGTH = 64

/**
 * The candidate nearest to `word` by edits (insert, delete, replace, swap of neighbours), if near enough to be a
 * slip: one edit up to four letters, two up to eight, three beyond. Ties go to the earlier candidate.
 */
export function suggest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length === 0 || word.length > MAX_LENGTH) return undefined
  const wanted = word.toLowerCase()
  let best: string | undefined
  let bestDistance = allowedEdits(wanted) + 1
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wanted.length) >= bestDistance) continue
    const distance = editDistance(wanted, candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

function allowedEdits(word: string): number {
  return word.length <= 4 ? 1 : word.length <= 8 ? 2 : 3
}

/** Optimal string alignment: Levenshtein with swaps of neighbours counted once. */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, beforeLast[j - 2]! + 1)
      }
      row.push(cost)
    }
    beforeLast = last
    last = row
  }
  return last[b.length]!
}

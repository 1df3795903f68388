/** An element that stayed, was added or removed; `at` is its index in the sequence that has it, in `before` if both do. */
interface Step {
  readonly kind: 'same' | 'added' | 'removed'
  readonly at: number
}

/** Longer sequences are compared by their common ends alone, so that the work stays bounded. */
const MAX_LENGTH = 1500

/** How one sequence becomes another: the common ends, and the longest common subsequence between them. */
export function diff(before: readonly string[], after: readonly string[]): Step[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end++
  const steps = middle(
    before.slice(start, before.length - end),
    after.slice(start, after.length - end),
  )
  return [
    ...same(0, start),
    ...steps.map(({ kind, at }) => ({ kind, at: at + start })),
    ...same(before.length - end, before.length),
  ]
}

function same(from: number, to: number): Step[] {
  return Array.from({ length: to - from }, (_, i) => ({ kind: 'same', at: from + i }))
}

function middle(a: readonly string[], b: readonly string[]): Step[] {
  if (a.length * b.length === 0 || a.length > MAX_LENGTH || b.length > MAX_LENGTH) {
    return [
      ...a.map((_, at) => ({ kind: 'removed' as const, at })),
      ...b.map((_, at) => ({ kind: 'added' as const, at })),
    ]
  }
  const width = b.length + 1
  const lengths = commonLengths(a, b)
  const steps: Step[] = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      steps.push({ kind: 'same', at: i++ })
      j++
    } else if (
      j >= b.length ||
      (i < a.length && lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!)
    ) {
      steps.push({ kind: 'removed', at: i++ })
    } else {
      steps.push({ kind: 'added', at: j++ })
    }
  }
  return steps
}

/** The length of the longest common subsequence from each pair of positions onwards. */
function commonLengths(a: readonly string[], b: readonly string[]): Uint16Array {
  const width = b.length + 1
  const lengths = new Uint16Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        a[i] === b[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!)
    }
  }
  return lengths
}

/**
 * Keeps the best `size` of the items offered, in a heap with the worst kept at its root. `compare` is negative if a is
 * better.
 */
interface Top<T> {
  offer(item: T): void
  readonly isFull: boolean
  /** The worst item kept. */
  readonly worst: T | undefined
  /** Best first. */
  sorted(): T[]
}

export function createTop<T>(size: number, compare: (a: T, b: T) => number): Top<T> {
  const heap: T[] = []

  function up(at: number): void {
    const item = heap[at]!
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (compare(heap[parent]!, item) >= 0) break
      heap[at] = heap[parent]!
      at = parent
    }
    heap[at] = item
  }

  function down(): void {
    const item = heap[0]!
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && compare(heap[child + 1]!, heap[child]!) > 0) child++
      if (compare(heap[child]!, item) <= 0) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = item
  }

  return {
    offer(item) {
      if (heap.length < size) {
        heap.push(item)
        up(heap.length - 1)
      } else if (size > 0 && compare(item, heap[0]!) < 0) {
        heap[0] = item
        down()
      }
    },
    get isFull() {
      return heap.length >= size
    },
    get worst() {
      return heap[0]
    },
    sorted: () => [...heap].sort(compare),
  }
}

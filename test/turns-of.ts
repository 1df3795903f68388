/** How many turns the event loop had during the work, and its result. */
export async function turnsOf<T>(work: Promise<T>): Promise<readonly [turns: number, made: T]> {
  let turns = 0
  let isOver = false
  const count = () => {
    if (isOver) return
    turns++
    setImmediate(count)
  }
  setImmediate(count)
  const made = await work
  isOver = true
  return [turns, made]
}

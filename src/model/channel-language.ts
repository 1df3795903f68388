/** So many times as much as the channel's own language another one has to weigh to take its place. */
const LEAD = 1.25

/**
 * What a channel speaks: the language that its posts weigh most in. The one it is known for stays until another clearly outweighs it:
 * a channel of two languages would change with every post, and all its short posts with it. So each change takes a good part of what
 * the channel has ever said.
 */
export function channelLanguage(
  weights: ReadonlyMap<string, number>,
  known: string | null,
): string | null {
  const [most] = [...weights]
    .filter(([, weight]) => weight > 0)
    .toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  if (!most) return null
  const held = (known !== null && weights.get(known)) || 0
  return held > 0 && most[1] < held * LEAD ? known : most[0]
}

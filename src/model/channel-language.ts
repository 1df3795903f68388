/** Another language has to weigh this many times as much as the channel's own to take its place. */
const LEAD = 1.25

/**
 * A channel's language: the one with the greatest weight among its posts. The known one stays until another clearly
 * outweighs it. Without that lead a channel of two languages would change with every post, and the language of all its
 * short posts with it. With it, a change takes a good part of everything the channel has ever said.
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

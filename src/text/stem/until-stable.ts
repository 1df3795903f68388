/** Repeats a stemmer whose result may have another stem: one pass over türkiyenin gives türkiye, whose own stem is türki. */
export function untilStable(stem: (word: string) => string): (word: string) => string {
  return (word) => {
    let found = stem(word)
    for (let pass = 0; pass < 2; pass++) {
      const next = stem(found)
      if (next.length < 3) break
      found = next
    }
    return found
  }
}

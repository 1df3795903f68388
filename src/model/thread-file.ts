/** The file of a thread beside the one that starts it. `from` is that one's address: compiled, both have another ending. */
export function threadFile(name: string, from: string): URL {
  return new URL(`./${name}${from.endsWith('.ts') ? '.ts' : '.js'}`, from)
}

/** A path with its parts filled in and the rest as its query. */
export function addressOf(
  path: string,
  input: Readonly<Record<string, string | number | boolean>>,
): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input)) {
    if (!path.includes(`{${name}}`)) query.append(name, String(value))
  }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(input[name])),
  )
  return query.size === 0 ? filled : `${filled}?${query}`
}

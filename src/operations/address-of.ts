/** Fills the parameters of a path and puts the other input into the query; null and undefined are left out. */
export function addressOf(path: string, input: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined || value === null || path.includes(`{${name}}`)) continue
    // Lists are repeated, not joined: an item may itself contain a comma.
    for (const item of Array.isArray(value) ? value : [value]) query.append(name, String(item))
  }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(partOf(path, name, input[name])),
  )
  return query.size === 0 ? filled : `${filled}?${query}`
}

/** A channel named `undefined` would be asked for, and may even be found; one named `.` or `..` would be left out of the address. */
function partOf(path: string, name: string, value: unknown): string {
  const part = String(value ?? '')
  if (!/^\.{0,2}$/.test(part)) return part
  const found = typeof value === 'string' ? `"${value}"` : String(value)
  throw new MissingPartError(`expected \`${name}\`, which ${path} needs; found ${found}`)
}

/** A mistake of who asks, and nothing that a server has said. */
export class MissingPartError extends TypeError {}

/** The elements of a page, and functions to search them. */

export interface Element {
  readonly tag: string
  /** Class tokens. Compare whole tokens: `js-message_video_player` is not `message_video_play`. */
  readonly classes: readonly string[]
  /** Name, value, name, value… Faster to make and to search than an object, with one to four attributes. */
  readonly attributes: readonly string[]
  readonly children: (Element | string)[]
}

/** The value of an attribute in a list of names and values. */
export function attributeIn(attributes: readonly string[], name: string): string | undefined {
  for (let i = 0; i < attributes.length; i += 2) {
    if (attributes[i] === name) return attributes[i + 1]
  }
  return undefined
}

export function attribute(element: Element, name: string): string | undefined {
  return attributeIn(element.attributes, name)
}

export function hasClass(element: Element, token: string): boolean {
  return element.classes.includes(token)
}

/** The first element below that fits, in page order; `skip` leaves out whole branches. */
export function find(
  element: Element,
  fits: (element: Element) => boolean,
  skip?: (element: Element) => boolean,
): Element | undefined {
  for (const child of element.children) {
    if (typeof child === 'string' || skip?.(child)) continue
    if (fits(child)) return child
    const found = find(child, fits, skip)
    if (found) return found
  }
  return undefined
}

export function findClass(element: Element, token: string): Element | undefined {
  for (const child of element.children) {
    if (typeof child === 'string') continue
    if (child.classes.includes(token)) return child
    const found = findClass(child, token)
    if (found) return found
  }
  return undefined
}

export function findTag(element: Element, tag: string): Element | undefined {
  return find(element, (child) => child.tag === tag)
}

/** All elements of a class, outermost only, in page order. */
export function findAllClass(element: Element, token: string, into: Element[] = []): Element[] {
  for (const child of element.children) {
    if (typeof child === 'string') continue
    if (child.classes.includes(token)) into.push(child)
    else findAllClass(child, token, into)
  }
  return into
}

/** The element's own text, without that of its children. */
export function ownText(element: Element): string {
  let text = ''
  for (const child of element.children) if (typeof child === 'string') text += child
  return text
}

/** The plain text of the element and its children, without entities or line breaks. */
export function plainText(element: Element): string {
  let text = ''
  for (const child of element.children) {
    text += typeof child === 'string' ? child : plainText(child)
  }
  return text
}

/** A property of the `style` attribute. */
export function style(element: Element | undefined, property: string): string | undefined {
  const css = element && attribute(element, 'style')
  if (!css) return undefined
  for (let from = 0; ;) {
    const at = css.indexOf(property, from)
    if (at < 0) return undefined
    from = at + property.length
    const before = at === 0 ? ';' : css[at - 1]!
    if ((before === ';' || before === ' ') && css[from] === ':') {
      // An address may hold semicolons, so a url() ends at its own bracket.
      const url = /^\s*url\((?:'([^']*)'|"([^"]*)"|([^)]*))\)/.exec(
        css.slice(from + 1, from + 4100),
      )
      if (url) return url[1] ?? url[2] ?? url[3] ?? ''
      const end = css.indexOf(';', from)
      return css.slice(from + 1, end < 0 ? undefined : end).trim()
    }
  }
}

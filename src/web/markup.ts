import { html as template, raw } from 'hono/html'

/** The result of hono's template: markup in which every value was escaped. */
export type Markup = ReturnType<typeof template>

const sent = new WeakMap<TemplateStringsArray, TemplateStringsArray>()

/** Hono's template without the indentation of the source, which would be a third of a page. Values are left as they are. */
export function html(strings: TemplateStringsArray, ...values: unknown[]): Markup {
  let squeezed = sent.get(strings)
  if (!squeezed) {
    const parts = strings.map((part) => part.replaceAll(/\s*\n\s*/g, '\n'))
    squeezed = Object.assign(parts, { raw: strings.raw })
    sent.set(strings, squeezed)
  }
  return template(squeezed, ...values)
}

/** Text with `code` in backticks, as descriptions and errors are written; everything else is escaped. */
export function prose(text: string): Markup {
  const parts = text.split('`')
  return html`${parts.map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`
}

export { raw }

import type { Parameters } from './address.ts'
import { html, raw, type Markup } from './markup.ts'

/** One parameter as a field of a form. */
export type Field = {
  readonly name: string
  readonly label: string
} & (
  | { readonly type: 'text' | 'date' | 'number'; readonly hint?: string }
  /** The label of each value. */
  | { readonly options: Readonly<Record<string, string>> }
)

/** Values that are their own labels. */
export function ownLabels(values: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(values.map((value) => [value, value]))
}

export function fields(list: readonly Field[], parameters: Parameters): Markup {
  return html`<div class="fields">
    ${list.map((field) => fieldOf(field, parameters[field.name] ?? ''))}
  </div>`
}

/** The form of a list: the search box visible, further fields folded until they are used. */
export function finder(options: {
  readonly action: string
  readonly parameters: Parameters
  readonly fields: readonly Field[]
  readonly hint: string
}): Markup {
  const { action, parameters, hint } = options
  const names = options.fields.map((field) => field.name)
  const isUsed = names.some((name) => name in parameters)
  return html`<form class="card" action="${action}" method="get" autocomplete="off">
    <div class="ask">
      <div class="box">
        <input
          type="text"
          name="q"
          value="${parameters['q'] ?? ''}"
          placeholder="${hint}"
          aria-label="${hint}"
          dir="auto"
        />
      </div>
      <button>Find</button>
    </div>
    ${hiddenFields(parameters, ['q', ...names])}
    <details ${isUsed ? raw('open') : ''}>
      <summary>Filters and order</summary>
      ${fields(options.fields, parameters)}
    </details>
    ${isUsed || 'q' in parameters ? html`<p><a href="${action}">Show all</a></p>` : ''}
  </form>`
}

/** Hidden fields for parameters that a form has no field for, so that submitting keeps them; paging starts again. */
export function hiddenFields(parameters: Parameters, own: readonly string[]): Markup {
  return html`${Object.entries(parameters)
    .filter(([name]) => name !== 'cursor' && !own.includes(name))
    .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}`
}

function fieldOf(field: Field, value: string): Markup {
  if ('options' in field) {
    const known = Object.entries(field.options)
    // Keeps a value that an address may have but this list has not, such as two kinds of media.
    const options = Object.hasOwn(field.options, value) ? known : [...known, [value, value]]
    return html`<label
      >${field.label}
      <select name="${field.name}">
        ${options.map(([option, text]) => html`<option value="${option}" ${option === value ? raw('selected') : ''}>${text}</option>`)}
      </select></label
    >`
  }
  // A date field would drop anything but a plain date, such as an age.
  const type =
    field.type === 'date' && value !== '' && !/^\d{4}-\d\d-\d\d$/.test(value) ? 'text' : field.type
  return html`<label
    >${field.label}
    <input
      type="${type}"
      name="${field.name}"
      value="${value}"
      ${field.hint === undefined ? '' : html`placeholder="${field.hint}"`}
      ${type === 'number' ? raw('min="0"') : type === 'text' ? raw('dir="auto"') : ''}
  /></label>`
}

/** What helps, as data: a message ends with it, and each face puts it into its own words. */
export type Hint =
  | {
      readonly operation: HintedOperation
      readonly input: Readonly<Record<string, string>>
      /** What it does for the caller: `reads it now`. */
      readonly does: string
    }
  | { readonly parameter: string; readonly value?: string; readonly does: string }
  /** The operation whose parameters are listed somewhere. */
  | { readonly reference: string }
  /** The parameter that was meant. */
  | { readonly meant: string }
  | { readonly after_s: number }

type HintedOperation =
  | 'get_channel'
  | 'get_live_channel'
  | 'get_post'
  | 'list_channel_posts'
  | 'list_channels'
  | 'list_languages'

interface Hinted {
  readonly detail: string
  readonly hint?: Hint | undefined
}

/** A message with a hint, in the words of the API. */
export function hinted(sentence: string, hint: Hint): { detail: string; hint: Hint } {
  return { detail: sentence + endOf(hint), hint }
}

/** The message with its hint in other words, or without it where these are null. */
export function reworded(message: Hinted, words: (hint: Hint) => string | null): string {
  const { detail, hint } = message
  if (hint === undefined || !detail.endsWith(endOf(hint))) return detail
  const told = words(hint)
  return detail.slice(0, -endOf(hint).length) + (told === null ? '' : `; ${told}`)
}

export function apiWords(hint: Hint): string {
  if ('operation' in hint) return `${pathOf(hint.operation, hint.input)} ${hint.does}`
  if ('parameter' in hint) {
    const { parameter, value, does } = hint
    return `${value === undefined ? `\`${parameter}\`` : `${parameter}=${value}`} ${does}`
  }
  if ('reference' in hint) {
    return `/docs#${hint.reference} lists those that ${hint.reference} takes`
  }
  return 'meant' in hint ? `did you mean \`${hint.meant}\`?` : `ask again in ${hint.after_s} s`
}

function endOf(hint: Hint): string {
  return `; ${apiWords(hint)}`
}

function pathOf(operation: HintedOperation, input: Readonly<Record<string, string>>): string {
  const { username = '{username}', slug } = input
  switch (operation) {
    case 'get_channel':
      return `/v1/channels/${username}`
    case 'get_live_channel':
      return `/v1/channels/${username}/live`
    case 'get_post':
      return `/v1/channels/${username}/posts/${slug}`
    case 'list_channel_posts':
      return `/v1/channels/${username}/posts`
    case 'list_channels':
      return '/v1/channels?q='
    case 'list_languages':
      return '/v1/languages'
  }
}

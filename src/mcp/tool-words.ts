/** The tool that corresponds to an address of the API: a client with tools alone cannot request addresses. */
const TOOLS: readonly (readonly [RegExp, string])[] = [
  [/\/v1\/channels\/\w+\/live\b/g, 'get_live_channel'],
  [/older posts are at \/v1\/channels\/\{username\}\/posts/g, 'list_channel_posts has older posts'],
  [/the post itself is at \/v1\/channels\/\w+\/posts\/\d+/g, 'get_post shows the post itself'],
  [/the channel is at \/v1\/channels\/\w+/g, 'get_channel describes it'],
  [/\/v1\/channels\?q= finds/g, 'list_channels finds'],
  [/\/v1\/languages\b/g, 'list_languages'],
  [
    /only limit, format and detail may change along a walk/g,
    'repeat the arguments of the page before, only limit and detail may change',
  ],
  [/\/docs#\w+ lists those/g, 'its schema lists those'],
]

/** A sentence of a warning or an error, reworded for a model that has tools. */
export function toolWords(sentence: string): string {
  return TOOLS.reduce((told, [address, tool]) => told.replace(address, tool), sentence)
}

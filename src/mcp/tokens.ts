/** How many tokens a reply may cost a model: text and structured content together. */
export const REPLY_TOKENS = 8_000

/**
 * An upper estimate of a text's tokens, whatever the model: plain Latin letters take four to a token, other alphabets
 * about two, ideographs and emoji one or more each, and JSON's punctuation rarely joins its neighbours.
 */
export function estimateTokens(text: string): number {
  let eighths = 0
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 32) eighths += 2
    else if (code < 0x2000) eighths += 4
    else eighths += 9
  }
  return Math.ceil(eighths / 8)
}

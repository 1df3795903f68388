/**
 * The terms an index holds. Folded words stand as they are; every other kind contains a character that no word has, so
 * that one posting list answers one question and no engine needs to look at columns.
 */
import { domainTerms } from '../text/urls.ts'
import type { HasValue, IsValue } from '../model/query.ts'
import type { IndexDocument } from './search-index.ts'

/** Every post holds it: the starting point of a query that has only negations and columns. */
export const EVERY_POST = ':p'

const STEM_PREFIX = '~'
export const stemTerm = (stem: string) => STEM_PREFIX + stem
/** For a word that is accented in the post and therefore has another stem. */
const ACCENT_PREFIX = '='
export const accentedTerm = (tok: string) => ACCENT_PREFIX + tok
export const channelTerm = (id: number) => `:c${id}`
export const languageTerm = (code: string) => `:l${code}`
export const hasTerm = (value: HasValue) => `:h${value}`
export const isTerm = (value: IsValue) => `:i${value}`
export const domainTerm = (host: string) => `:d${host}`
export const forwardTerm = (username: string) => `:f${username}`
/** Addresses may be long, so a term of two hashes stands for one. */
export const urlTerm = (url: string) =>
  `:u${hash32(url).toString(36)}.${hash32(url, 7).toString(36)}`

export function isWord(term: string): boolean {
  return !NO_WORD.test(term)
}

/** The entities `emoji:1f525` and `site:host` start with letters, as words do; their colon tells them apart. */
const NO_WORD = /^[#@$~=]|:/

/** The terms of one post that filters use. */
export function factTerms(document: IndexDocument): string[] {
  const facts = new Set<string>([EVERY_POST, channelTerm(document.channelId)])
  if (document.language !== null) facts.add(languageTerm(document.language))
  for (const entity of document.entities) facts.add(entity)
  for (const tag of document.hashtags) facts.add(`#${tag}`)
  for (const name of document.mentions) facts.add(`@${name}`)
  for (const host of document.domains) {
    for (const domain of domainTerms(host)) facts.add(domainTerm(domain))
  }
  for (const url of document.urls) facts.add(urlTerm(url))
  if (document.forwardedFrom !== null) facts.add(forwardTerm(document.forwardedFrom))
  for (const value of document.has) facts.add(hasTerm(value))
  if (document.isForward) facts.add(isTerm('forward'))
  if (document.isReply) facts.add(isTerm('reply'))
  if (document.isEdited) facts.add(isTerm('edited'))
  return [...facts]
}

/** The hash by which the ranker compares terms: 30 bits, stored as five characters of six bits each. */
export function wordHash(term: string): number {
  return hash32(term) & 0x3fffffff
}

export function hash32(text: string, seed = 0): number {
  let hash = 0x811c9dc5 ^ seed
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

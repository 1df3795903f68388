/**
 * How much each language must prove before it is believed: nothing for those that fill most channels, more the
 * rarer a language is in public channels. In the units of the vote.
 */
const COMMON = 'ru uk fa ar en es pt tr uz id hi de fr it kk be'
const FREQUENT = 'az ky tg pl ro nl ckb ur bg sr hr vi sw tl ms hu cs sv tt ps so om'
const RARE = 'eo la ht mg mt ga cy ceb jv su ba cv ce os sah sa bh yo ig zu gl'

const FREQUENT_PRIOR = 1.3
const OTHER_PRIOR = 1
const RARE_PRIOR = 1.8

const PRIORS = new Map<string, number>([
  ...COMMON.split(' ').map((code) => [code, 0] as const),
  ...FREQUENT.split(' ').map((code) => [code, FREQUENT_PRIOR] as const),
  ...RARE.split(' ').map((code) => [code, RARE_PRIOR] as const),
])

export function priorOf(code: string): number {
  return PRIORS.get(code) ?? OTHER_PRIOR
}

/** Some of the most common ideographs, so that pairs of them are common too. */
const HAN = [
  ...'的一是不了人我在有他这为之大来以个中上们到说国和地也子时道出而要于就下得可你年生自会那后能对着事其里所',
]

/** Queries designed to cost as much as possible, from words that nearly every post has and a prefix of very many words. */
export function hostileQueries(
  common: readonly string[],
  prefix: string,
): Readonly<Record<string, string>> {
  const [a = 'the', b = 'of', c = 'a'] = common
  const times = (count: number, of: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => of(i))
  return {
    '64 words': times(64, (i) => common[i] ?? `w${i}`).join(' '),
    'one common word 64 times': times(64, () => a).join(' '),
    'any of 60 common words': times(60, (i) => common[i] ?? `w${i}`).join(' OR '),
    'an opening parenthesis 512 times': '('.repeat(512),
    'a prefix of a huge family': `${prefix}*`,
    '40 prefixes': times(40, () => `${prefix}*`).join(' OR '),
    'one-letter prefixes': 'a* b* c* d* e* f* g* h* i* j* k*',
    'one-letter words': 'a b c d e f g h i j k l m n o p q r s t u v w x y z',
    'words everybody uses': `${a} ${b} ${c} ${a} ${b} ${c}`,
    'a phrase of words everybody uses': `"${a} ${b}" "${b} ${c}" "${c} ${a}"`,
    'quotes of words everybody uses, one word that nobody does': `zzxqj ${times(21, (i) => `“${common[i] ?? a} ${common[i + 1] ?? b} ${c}”`).join(' ')}`,
    'compounds of words everybody uses, one word that nobody does': `zzxqj ${times(30, (i) => `${common[i] ?? a}-${common[i + 1] ?? b}`).join(' ')}`,
    'slips of words everybody uses, beside what no post holds': `${a}${a.at(-1)} ${b}${b.at(-1)} (${a} OR ${b} OR ${c}) -${a} -${b} -${c}`,
    'right to left and control characters': `\u202e${a}\u0000 \u0007${b}\u200f زلزله \u061c`,
    'lone surrogates': `${a} \ud800 \udc00x ${b}\ud83d`,
    'quotes and operators of the engine': `"NEAR(${a} ${b}, 10)" AND {tok}: ^${a} + "*" ""`,
    'ideographs for 512 characters': '比特币'.repeat(170),
    'other ideographs for 512 characters': times(
      512,
      (i) => HAN[(i * i + 7 * i) % HAN.length]!,
    ).join(''),
    'Thai for 512 characters': 'น้ำท่วมรถไฟสนามบินปิดวันนี้ราคาทองขึ้น'.repeat(14).slice(0, 512),
    'a phrase of 60 words': `"${`${a} ${b} `.repeat(30)}"`,
    'nothing but negations of what is everywhere': `${a} -${a} -${b} -${c}`,
    'deep alternatives': `((((((((${a} OR ${b}) ${c}) OR ${b}) ${c}) OR ${a}) ${b}) OR ${c}) ${a})`,
    'combining marks': `${a}${'\u0301'.repeat(400)}`,
  }
}

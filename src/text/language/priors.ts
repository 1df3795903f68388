/**
 * How much each language must prove before it is believed, by script, in the units of the vote. Fitted together with the weights of
 * `families.ts` on public sentences and pairs of words, in which the languages that fill most channels counted more often
 * than others, and then moved by hand for eight: Malay is told as Indonesian where the two cannot be told apart. A model that is
 * too fond of a language is answered with a high number.
 */
import type { Script } from './scripts.ts'

const PRIORS: ReadonlyMap<Script, ReadonlyMap<string, number>> = new Map([
  [
    'Latin',
    table(
      'uz -0.79 en 0.8 es 0.37 pt 0.33 fr 0.65 de 0.98 it 0.56 nl 0.73 sv 0.34 da 0.17 no 0 fi 0.47 et -0.46 lv -0.16 lt 0.28 pl 0.64 cs 0.59 sk -0.14 sl -0.59 hr -0.09 sr 1.1 sq -0.15 ro -0.51 hu 0.74 tr 0.00 az 0.01 tk -0.34 id 0.00 ms 2.05 jv -0.35 su 0.12 tl -0.34 ceb -0.38 vi 1.07 sw -1.26 so -1.41 om -1.08 ha -0.88 yo -0.94 ig -0.83 zu -1.62 af -0.55 ca 0.17 gl -0.22 eu -0.28 ga -0.73 cy -0.54 is 0.24 eo 0.55 la -0.3 mt 0.09 ku -0.33 ht 0.13 mg 0.12 hi-Latn 0 fa-Latn 0.1 ar-Latn 0.12 ckb-Latn 0.11',
    ),
  ],
  [
    'Cyrillic',
    table(
      'uz -2.47 ru 0.80 uk 0.38 be 0.47 bg -0.07 mk 0.34 sr -0.71 kk 0.77 ky -0.84 tg -1.19 tt -0.42 mn -0.6 ba 0.28 cv 0.09 ce 0.18 os 0.04 sah 0.15',
    ),
  ],
  ['Arabic', table('ar 0.43 fa 0.05 ur 0.26 ps -1.02 ckb -0.1 ug 1.14 sd -0.74')],
  ['Devanagari', table('hi 0.69 mr -0.32 ne -0.73 sa 0.38 bh 0.19')],
])

function table(pairs: string): ReadonlyMap<string, number> {
  const parts = pairs.split(' ')
  return new Map(
    parts.flatMap((code, i) => (i % 2 === 0 ? [[code, Number(parts[i + 1])] as const] : [])),
  )
}

export function priorOf(script: Script, code: string): number {
  return PRIORS.get(script)?.get(code) ?? 0
}

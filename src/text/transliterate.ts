/**
 * What a word in Latin letters may be in Russian or Ukrainian, in Arabic, Persian or Urdu, in Greek or Hebrew: `privet` привет,
 * `salam` سلام, `kalimera` καλημέρα, `shalom` שלום. These scripts omit vowels or have several letters for a sound, so each
 * piece may be written in several ways, the likeliest first, and the best few words are kept. The words are folded.
 */
interface Spelling {
  /** Latin letters → the ways to write them. In the tables below `/` separates the ways, and `-` writes nothing. */
  readonly pieces: ReadonlyMap<string, readonly string[]>
  /** The ways at the beginning and at the end of a word, where they differ. */
  readonly first: ReadonlyMap<string, readonly string[]>
  readonly last: ReadonlyMap<string, readonly string[]>
}

/** The soft sign is seldom typed. A `y` between vowels belongs to the second. */
const CYRILLIC = spelling(
  'shch:щ sch:щ/сч zh:ж kh:х ts:ц/тс ch:ч/чь sh:ш/шь tsya:тся/ться yu:ю/ью ju:ю ya:я/ья ja:я yo:е/ьо jo:е ye:ые/е/ье/є yi:ї/ыи iy:ий yy:ый yya:ыя ay:ай oy:ой ey:ей uy:уй ' +
    'iya:ия iye:ие iyu:ию aya:ая aye:ае ayu:аю ayo:ае oya:оя oye:ое oyu:ою eya:ея eye:ее eyu:ею uya:уя uye:уе uyu:ую ' +
    'a:а b:б/бъ v:в/вь g:г/ґ d:д/дь e:е/э z:з/зь i:и/і j:й/ж k:к l:л/ль m:м/мь n:н/нь o:о p:п r:р/рь s:с/сь t:т/ть u:у f:ф h:х/г c:ц/к y:ы/й/и w:в x:кс q:к',
  '',
  'y:ы/й/ий/ый',
)
const ARABIC = spelling(
  'sh:ش ch:چ/ش/خ kh:خ gh:غ/ق zh:ژ th:ث/ت/ذ dh:ذ/ض/د oo:و ou:و ee:ی ii:ی aa:ا ai:ای/ی ei:ی ay:ای/ی ' +
    'a:ا/- e:-/ی i:ی/- o:و/- u:و/- b:ب p:پ/ب t:ت/ط s:س/ص/ث j:ج/ژ h:ه/ح x:خ d:د/ض r:ر z:ز/ظ/ذ/ض ' +
    'f:ف q:ق k:ک/ق g:گ/ج/غ l:ل m:م n:ن v:و w:و y:ی c:ک',
  'a:ا/ع e:ا/ع i:ای/ا/ع o:ا/او/ع u:او/ا/ع aa:ا/عا',
  'a:ا/ه/ی e:ه/ی ah:ه/اه eh:ه i:ی o:و u:و ia:یه/یا iya:یه',
)
const GREEK = spelling(
  'th:θ ch:χ ks:ξ ps:ψ ou:ου mp:μπ nt:ντ gk:γκ ai:αι ei:ει oi:οι eu:ευ au:αυ a:α b:β/μπ g:γ/γκ d:δ/ντ e:ε/αι z:ζ ' +
    'h:η/χ i:ι/η/υ/ει/οι k:κ l:λ m:μ n:ν x:ξ/χ o:ο/ω p:π r:ρ s:σ t:τ y:υ/γι f:φ v:β w:ω u:υ/ου j:ι/ξ c:κ q:κ',
)
const HEBREW = spelling(
  'sh:ש ch:ח/כ kh:כ/ח tz:צ ts:צ oo:ו ee:י a:-/א e:-/י i:י/- o:ו/- u:ו b:ב g:ג d:ד h:ה/ח v:ו/ב w:ו z:ז t:ת/ט y:י k:ק/כ l:ל m:מ n:נ ' +
    's:ס/ש p:פ f:פ r:ר j:ג c:ק q:ק x:קס',
  'a:א/ע e:א/ע i:אי/י o:או/עו u:או',
  'a:ה/א ah:ה e:ה',
)

/** How many of the likeliest words are kept after each piece. */
const KEPT = 32
const MAX_LENGTH = 16
const LONGEST_PIECE = 4

/** For a folded word of a–z: script by script, the likeliest first. */
export function transliterations(word: string): string[] {
  if (word.length < 3 || word.length > MAX_LENGTH) return []
  // A doubled consonant is written once in the other scripts. In Greek it is doubled, but seldom typed so.
  const plain = word.replaceAll(/([bcdfghjklmnpqrstvwxyz])\1/g, '$1')
  return [
    ...spell(word, CYRILLIC),
    ...[ARABIC, GREEK, HEBREW].flatMap((script) => spell(plain, script)),
  ]
}

interface Partial {
  readonly text: string
  /** How unlikely it is: the sum of the ranks of the ways chosen. */
  readonly cost: number
}

function spell(word: string, script: Spelling): string[] {
  let words: readonly Partial[] = [{ text: '', cost: 0 }]
  for (let at = 0; at < word.length;) {
    const { length, ways } = pieceAt(word, at, script)
    if (length === 0) return []
    at += length
    words = words
      .flatMap(({ text, cost }) => ways.map((way, i) => ({ text: text + way, cost: cost + i })))
      .toSorted((a, b) => a.cost - b.cost)
      .slice(0, KEPT)
  }
  return [...new Set(words.map(({ text }) => text))].filter(({ length }) => length > 1)
}

function pieceAt(word: string, at: number, { pieces, first, last }: Spelling) {
  for (let length = LONGEST_PIECE; length > 0; length--) {
    if (at + length > word.length) continue
    const letters = word.slice(at, at + length)
    const ways =
      (at === 0 ? first.get(letters) : undefined) ??
      (at + length === word.length ? last.get(letters) : undefined) ??
      pieces.get(letters)
    if (ways) return { length, ways }
  }
  return { length: 0, ways: [] }
}

function spelling(pieces: string, first = '', last = ''): Spelling {
  return { pieces: table(pieces), first: table(first), last: table(last) }
}

function table(entries: string): ReadonlyMap<string, readonly string[]> {
  const pairs = entries === '' ? [] : entries.split(' ').map((entry) => entry.split(':'))
  return new Map(
    pairs.map(([letters, ways]) => [
      letters!,
      ways!.split('/').map((way) => (way === '-' ? '' : way)),
    ]),
  )
}

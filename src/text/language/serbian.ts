/** Serbian is written in two scripts that turn into one another letter by letter, so one list serves both. */
import type { Profile } from './profile.ts'

const WORDS =
  'i u na ne je se da sa s od za kao što šta to ovaj ova ovo ovi ove ovog ovom taj ta te ti tog tom toga tome on ona ono oni one mi vi ja me mene meni tebe tebi mu joj im nam vam nas vas ga ih nju njega njoj njih njim njima po ali ili ako kad kada gde ko koga koji koja koje kojih kojim kojima kojoj kojom kome koju čiji zašto kako će ću ćeš ćemo ćete neće nema nemam nemaju ima imam imaju imao imala imali sam si smo ste su bi bih bio bila bilo bili biti bude budu nije nisu nisam nismo nisi samo još mnogo malo puno može mogu možeš možete možemo mogao moglo možda treba mora moraju sada tada danas sutra juče posle pre nakon tokom pri bez preko kroz pored osim između među prema protiv oko kod uz zbog radi više manje veoma vrlo jako baš jer iako dok čim pošto dakle međutim takođe ipak inače uglavnom obično često uvek nikad nikada ponekad odmah uskoro ponovo opet zajedno godina godine godinu godini ljudi čovek vreme vremena dan dana dani nedelja mesec sat sati sve svi svih svega svaki svaka neko neki neka neke nešto niko ništa nekoliko svoj svoje svoju svog svojim sebe njegov njegova njegovo njen njena njihov njihove moj moja moje tvoj tvoja naš naša naše vaš čak evo eto tamo ovde tu gore dole pod nad ispred iza dobro dobar dobra loše hvala zdravo molim izvini jedan jedna jedno jednog jednom dva dve tri četiri pet prvi prva prvo drugi druga drugo treći već do deo delu dela svet svetu zemlja zemlje grad grada gradu vlada predsednik srbija srbije srbiji beograd beogradu rekao rekla kaže kažu zna znam znaš znate mislim misli volim voli hoće hoću želi želim videti video doći došao ići idem ide radi radim rade dao dati moći trebalo postoji nalazi kuća kuće škola škole dete deca dece žena žene otac majka brat sestra prijatelj život života posao pitanje odgovor knjiga voda hleb lepo lep lepa nov nova novo novi nove stari velik veliki velika veliko mali mala malo bolje najbolji poslednji sledeći cena cene reč reči istina vest vesti uživo hitno nego tako toliko koliko ovako nekako'
const ENDINGS =
  'ima ama om og oga emu ije ska ski sko skog nja nje anje enje ost osti ti ći ati iti eti lo la li ju ao eo uje ovao ovati jući nik'

const CYRILLIC: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [...'abvgdđežzijklmnoprstćufhcčš'].map((letter, i) => [
      letter,
      [...'абвгдђежзијклмнопрстћуфхцчш'][i]!,
    ]),
  ),
  lj: 'љ',
  nj: 'њ',
  dž: 'џ',
}

function toCyrillic(words: string): string {
  return words.replaceAll(/lj|nj|dž|[a-zđžćčš]/g, (letters) => CYRILLIC[letters] ?? letters)
}

export const SERBIAN_LATIN: Profile = {
  code: 'sr',
  lacks: 'qwxy',
  letters: 'čćđšž',
  words: WORDS,
  endings: ENDINGS,
}

export const SERBIAN_CYRILLIC: Profile = {
  code: 'sr',
  letters: 'ђјљњћџи',
  words: toCyrillic(WORDS),
  endings: toCyrillic(ENDINGS),
}

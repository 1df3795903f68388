/** Uzbek is written in two scripts that turn into one another by rule, so one list serves both. */
import { withPlainLetters } from './plain-letters.ts'
import type { Profile } from './profile.ts'

const WORDS =
  "va bilan bu bir uchun ham edi ekan bo'ldi bo'lib bor yo'q emas men sen siz biz u ular uning uni ularni seni meni sizni bizni menga senga sizga bizga unga ularga mening sening bizning sizning ularning qanday qayerda qayerdan qachon kim nima nega nimaga necha qancha qaysi kerak yaxshi yomon rahmat salom assalomu alaykum juda ko'p kam endi bugun ertaga kecha keyin oldin bo'yicha haqida yil yili kun kuni oy hafta odam odamlar inson insonlar bola bolalar bo'ladi bo'lgan bo'lsa bo'lmaydi hozir faqat eng barcha hamma har o'z o'zi o'zining o'zim o'rtasida ichida ustida tagida yonida yangi eski katta kichik toshkent o'zbekiston o'zbek davlat xalq yana chunki lekin ammo yoki agar shunday bunday shu o'sha orqali mumkin aytdi dedi keldi bordi ketdi oldi berdi qildi ega huquqi huquqiga tomonidan qilish qilib qilindi qilgan deb so'm ustoz kanal zo'r ilova dastur yordam iltimos ishlamayapti ishlaydi esa shuning bugungi prezidenti respublikasi uy maktab kitob suv non mashina shahar yo'l hayot sevgi sevaman bilaman bilmayman istayman xohlayman boraman kelaman olaman qilaman kutaman yashayman ishlayman o'qiyman ona onam ota otam aka opa uka singil qiz yigit ayol erkak do'st do'stim ish ishi vaqt vaqti ism ismi ismim olma stol dunyo mamlakat viloyat tuman hokimi vazirligi dollar narxi baho hech narsa hamda hatto balki albatta kabi sifatida asosida sababli natijasida davomida nisbatan qarshi ushbu mazkur bundan shundan undan menda senda sizda bizda unda tug'ilgan kuningiz bilan tabriklayman rosa yana yarim ming million ajoyib a'lo chiroyli foydali qulay qulaylik oson raxmat yahshi yoqdi yoqadi dahshat daxshat judayam foydalanish yuklab yuklash ilovani narsa gap omad qoyil tez sekin muhim kerakli barchaga hammaga darajada mazali shirin issiq sovuq xayrli tong kech havo yangilik yangiliklar dars darslar ochiq farmon farmoni qaror obuna kursi talaba talabalar e'lon vakansiya ish bugundan kechqurun ertalab go'zal yashaydi qayerga o'tgan o'qituvchi edim edik edilar emasman ingliz pul ikki uch to'rt besh o'n yuz birinchi ikkinchi oxirgi yerda yeri choy soat kitobni maktabga o'g'il o'g'lim qizim bolam sotib oladi olish berish borish kelish ko'rish ko'rgan ko'rdim aytish gapiraman tushunmayman bilmadim xohlaydi qilmoqda bormoqda boshladi boshlandi boshqa bosh rais raisi prezident mirziyoyev vazir vazirlik hokim jahon rossiya o'zbekistonda o'zbekistonning toshkentda milliy respublika qonun jinoyat sud politsiya iib xabar xabarlar jonli bo'lishi bo'lgani bo'lmagan bo'lardi kerakmi mumkinmi yaxshimi ekanligi ekanini degan deya deydi aytgan ma'lum ma'lumot ma'lumotlar etildi etilgan etish etib tashkil olib borib kelib berib chiqdi chiqib tushdi tushib qoldi qolgan qolib turib turadi yuribdi yotibdi o'tirib qayta yaqin uzoq tomon tomoni barchasi hammasi ba'zi birga alohida umumiy asosiy zarur shart lozim"
const ENDINGS =
  'ning lari larni lardan larga larning dagi gan lgan ganlar moqda moqchi moq adi aydi yapti yapman yapsan yapmiz aman ayman oqman asan mayman maydi masa ganman lik chilik chi miz siz man san ligi lash ish ishi ishga ib di ni dan da ga gacha imiz ingiz imni imga ingni ganda sizlar dilar dim ding dik gim mikan mi sining ining siga sida sini ida iga ini iyot iyat ovchi uvchi'

const PAIRS: Readonly<Record<string, string>> = {
  "o'": 'ў',
  "g'": 'ғ',
  sh: 'ш',
  ch: 'ч',
  yo: 'ё',
  yu: 'ю',
  ya: 'я',
  ye: 'е',
}
const SINGLE: Readonly<Record<string, string>> = Object.fromEntries(
  [...'abdefghijklmnopqrstuvxyz'].map((letter, i) => [letter, [...'абдефгҳижклмнопқрстувхйз'][i]!]),
)

function toCyrillic(word: string): string {
  return word
    .replace(/^e/, 'э')
    .replaceAll(/[og]'|sh|ch|y[oaue]/g, (pair) => PAIRS[pair] ?? pair)
    .replaceAll("'", 'ъ')
    .replaceAll(/[a-z]/g, (letter) => SINGLE[letter] ?? letter)
}

/** Many write without the apostrophes. */
const WITHOUT_APOSTROPHES = WORDS.split(' ')
  .filter((word) => word.includes("'"))
  .map((word) => word.replaceAll("'", ''))

export const UZBEK_LATIN: Profile = {
  code: 'uz',
  letters: "'çşğö",
  lacks: 'w',
  words: `${WORDS} ${WITHOUT_APOSTROPHES.join(' ')}`,
  endings: ENDINGS,
}

export const UZBEK_CYRILLIC: Profile = {
  code: 'uz',
  letters: 'ёйъэўқғҳию',
  words: withPlainLetters(WORDS.split(' ').map(toCyrillic).join(' ')),
  endings: ENDINGS.split(' ').map(toCyrillic).join(' '),
}

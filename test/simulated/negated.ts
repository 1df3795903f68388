/** A sentence in each language, and its negation. */
export const NEGATED: Readonly<Record<string, readonly [plain: string, negated: string]>> = {
  en: ['The minister will attend the opening.', 'The minister will not attend the opening.'],
  ru: ['Министр приедет на открытие.', 'Министр не приедет на открытие.'],
  uk: ['Міністр приїде на відкриття.', 'Міністр не приїде на відкриття.'],
  de: ['Die Brücke wird heute geöffnet.', 'Die Brücke wird heute nicht geöffnet.'],
  fr: ['Le pont sera ouvert demain.', 'Le pont ne sera pas ouvert demain.'],
  es: ['El puente se abre mañana.', 'El puente no se abre mañana.'],
  pt: ['A ponte abre amanhã.', 'A ponte não abre amanhã.'],
  tr: ['Bakan törene katıldı.', 'Bakan törene katılmadı.'],
  ar: ['الجسر مفتوح اليوم.', 'الجسر ليس مفتوح اليوم.'],
  fa: ['پل امروز باز شد.', 'پل امروز باز نشد.'],
  he: ['הגשר ייפתח מחר.', 'הגשר לא ייפתח מחר.'],
  hi: ['पुल कल खुलेगा।', 'पुल कल नहीं खुलेगा।'],
  zh: ['大桥明天会开放。', '大桥明天不会开放。'],
  ja: ['橋は明日開きます。', '橋は明日開きません。'],
  ko: ['다리는 내일 열린다.', '다리는 내일 안 열린다.'],
  am: ['ድልድዩ ዛሬ ተከፈተ።', 'ድልድዩ ዛሬ አልተከፈተም።'],
}

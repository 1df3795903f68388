/** A sentence in each language, and its negation. */
export const NEGATED: Readonly<Record<string, readonly [plain: string, negated: string]>> = {
  en: ['The minister will attend the opening.', 'The minister will not attend the opening.'],
  ru: ['Министр приедет на открытие.', 'Министр не приедет на открытие.'],
  uk: ['Міністр приїде на відкриття.', 'Міністр не приїде на відкриття.'],
  es: ['El puente se abre mañana.', 'El puente no se abre mañana.'],
  tr: ['Bakan törene katıldı.', 'Bakan törene katılmadı.'],
  ar: ['الجسر مفتوح اليوم.', 'الجسر ليس مفتوح اليوم.'],
  fa: ['پل امروز باز شد.', 'پل امروز باز نشد.'],
  zh: ['大桥明天会开放。', '大桥明天不会开放。'],
}

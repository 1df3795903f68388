/** Irregular forms: turns `stem: form form` entries, separated by `;`, into a map from each form to its stem. */
export function formsOf(list: string): ReadonlyMap<string, string> {
  const forms = new Map<string, string>()
  for (const entry of list.split(';')) {
    const [stem = '', words = ''] = entry.split(':').map((part) => part.trim())
    for (const word of words.split(/\s+/)) if (word !== '') forms.set(word, stem)
  }
  return forms
}

/** Forms that no ending explains: `stem: form form` pairs, parted by `;`, to a map from each form to its stem. */
export function formsOf(list: string): ReadonlyMap<string, string> {
  const forms = new Map<string, string>()
  for (const entry of list.split(';')) {
    const [stem = '', words = ''] = entry.split(':').map((part) => part.trim())
    for (const word of words.split(/\s+/)) if (word !== '') forms.set(word, stem)
  }
  return forms
}

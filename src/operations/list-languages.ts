import { z } from 'zod'
import { LANGUAGES } from '../model/language-names.ts'
import { stemLanguage } from '../text/stem/stem.ts'
import { defineOperation } from './operation.ts'
import { counted } from './render/markdown-words.ts'

const languageView = z
  .strictObject({
    code: z.string(),
    name: z.string(),
    native_name: z.string(),
    channels: z.int(),
    posts_30d: z.int(),
    stemming: z.boolean().meta({ description: 'Word forms are matched, not only the exact word.' }),
  })
  .meta({ id: 'Language' })

export const listLanguages = defineOperation({
  name: 'list_languages',
  path: '/languages',
  summary: 'Channel languages that can be used as filters',
  description: 'Every language of an indexed post or channel, most channels first.',
  input: z.strictObject({}),
  output: z.array(languageView),
  meta: z.strictObject({}),
  errors: [],
  formats: ['json', 'md'],
  markdown: ({ data }) =>
    [
      '# Languages\n',
      ...data.map(
        ({ code, name, channels, posts_30d: posts }) =>
          `- ${code} ${name}: ${counted(channels, 'channel')}, ${counted(posts, 'post')} in 30 days`,
      ),
    ].join('\n'),
  compact: (data) =>
    data.map(({ code, name, channels, posts_30d }) => ({ code, name, channels, posts_30d })),
  policies: ['burst', 'daily'],
  examples: [{ summary: 'All languages', input: {} }],
  async run({ overview }) {
    const counts = await overview.languages()
    const data = counts.map(({ code, channels, posts30d }) => ({
      code,
      name: LANGUAGES.get(code)?.name ?? code,
      native_name: LANGUAGES.get(code)?.nativeName ?? code,
      channels,
      posts_30d: posts30d,
      stemming: stemLanguage(code) !== undefined,
    }))
    return { data, meta: {}, warnings: [] }
  },
})

import { SkillsExtension, memorySkillFiles } from '@modelcontextprotocol/server/ext/skills'
import { readFileSync } from 'node:fs'
import { HOUR_MS } from '../model/time.ts'

/** Ways of working for agents, each a file of the folder `skills`; the same ones over MCP and HTTP. */
const NAMES = ['verify-a-claim', 'follow-a-story', 'map-who-spread-it'] as const

/** They change with a release only. */
const TTL_MS = HOUR_MS

interface Skill {
  readonly name: string
  readonly description: string
  /** The whole `SKILL.md`. */
  readonly text: string
}

export const SKILLS: readonly Skill[] = NAMES.map((name) => {
  const text = readFileSync(new URL(`../../skills/${name}/SKILL.md`, import.meta.url), 'utf8')
  return { name, description: /^description: (.*)$/m.exec(text)![1]!, text }
})

export function loadSkills(): Promise<SkillsExtension> {
  const files = SKILLS.map(({ name, text }) => [`${name}/SKILL.md`, text])
  return SkillsExtension.load(memorySkillFiles(Object.fromEntries(files)), {
    strict: true,
    cacheHint: { ttlMs: TTL_MS, cacheScope: 'public' },
  })
}

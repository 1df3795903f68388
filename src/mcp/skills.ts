import { readFileSync } from 'node:fs'

/** Instructions for agents, each a file of the folder `skills`; served both over MCP and HTTP. */
const NAMES = ['verify-a-claim', 'follow-a-story', 'map-who-spread-it'] as const

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

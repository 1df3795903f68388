import type { Media, Post } from '../model/post.ts'

/** The text by which a post is found: its own, followed by the words of its poll and its media, each on a line. */
export function searchableText(post: Pick<Post, 'text' | 'poll' | 'media'>): string {
  if (post.poll === null && post.media.length === 0) return post.text
  const parts = [post.text]
  if (post.poll) parts.push(post.poll.question, ...post.poll.options.map((option) => option.text))
  for (const media of post.media) parts.push(...wordsOf(media))
  return parts.filter((part) => part !== '').join('\n')
}

/** Title, performer or description, and file name, each once. A telephone number is shown but not searched. */
function wordsOf({ kind, title, detail, fileName }: Media): Set<string> {
  const shown = kind === 'contact' ? [title, fileName] : [title, detail, fileName]
  return new Set(shown.filter((words) => words !== null))
}

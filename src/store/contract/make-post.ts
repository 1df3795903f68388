import { NO_CONTENT, type Post } from '../../model/post.ts'

const UNSAID: Omit<Post, 'number' | 'publishedAt'> = {
  ...NO_CONTENT,
  kind: 'post',
  edited: false,
  albumNumbers: [],
  views: null,
  reactions: [],
  orphan: false,
}

/** A post with only the known fields set. */
export function makePost(known: Partial<Post> & Pick<Post, 'number' | 'publishedAt'>): Post {
  return { ...UNSAID, ...known }
}

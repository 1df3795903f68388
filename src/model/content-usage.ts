/** How machines may use posts, in AIPREF's vocabulary: sent with them and told in `/robots.txt`. */
export const CONTENT_USAGE = 'train-ai=n'

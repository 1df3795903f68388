/** The benchmark's posts are dated before this time. */
export const NOW = Date.UTC(2026, 8, 1, 12)

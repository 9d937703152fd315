/**
 * What to do with a file or object whose name is taken. `skip-identical` skips it if both are proven equal, and
 * otherwise keeps both.
 */
export const CONFLICTS = ['keep-both', 'replace', 'skip', 'skip-identical'] as const

export type Conflict = (typeof CONFLICTS)[number]

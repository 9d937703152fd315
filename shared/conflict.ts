/**
 * What may become of a file or object where another one has its name. `skip-identical`: nothing if they are proven
 * equal, else both are kept.
 */
export const CONFLICTS = ['keep-both', 'replace', 'skip', 'skip-identical'] as const

export type Conflict = (typeof CONFLICTS)[number]

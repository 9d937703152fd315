// Joins facts into one line, for rows and notes.

import { isolated } from './translate.ts'

/** "48.2 MB/s · 3 min". Leaves out empty facts. Pure except for the language. */
export function joined(...facts: readonly string[]): string {
  return facts
    .filter((fact) => fact !== '')
    .map(isolated)
    .join(' · ')
}

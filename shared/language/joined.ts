// Facts in one line, as rows and notes have them.

import { isolated } from './translate.ts'

/** "48.2 MB/s · 3 min": what is empty is left out. Pure but for the language. */
export function joined(...facts: readonly string[]): string {
  return facts
    .filter((fact) => fact !== '')
    .map(isolated)
    .join(' · ')
}

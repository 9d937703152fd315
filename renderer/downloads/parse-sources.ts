import { parseLink } from '../../shared/place/links.ts'

export interface Sources {
  /** Of any kind, those that will be refused included. */
  readonly links: readonly string[]
  readonly keys: readonly string[]
  /** Keys that end in `/`: everything under them. */
  readonly prefixes: readonly string[]
}

/** What a person typed or pasted, a source a line: links, and keys, which are taken literally. Pure. */
export function parseSources(text: string): Sources {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const distinct = [...new Set(lines)]
  return {
    links: distinct.filter((line) => parseLink(line) !== null),
    keys: distinct.filter((line) => parseLink(line) === null && !line.endsWith('/')),
    prefixes: distinct.filter((line) => parseLink(line) === null && line.endsWith('/')),
  }
}

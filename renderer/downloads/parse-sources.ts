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

/** Why a text can't be used as a link, or null when it can. Pure. */
export function linkProblem(text: string): string | null {
  if (/\s/.test(text) || !isLink(text)) return 'A link begins with https:// or http://.'
  const { username, password } = new URL(text)
  return username + password === '' ? null : 'A link with a user name or password in it is not taken.'
}

function isLink(line: string): boolean {
  return /^https?:\/\//i.test(line) && URL.canParse(line)
}

export interface Sources {
  readonly urls: readonly string[]
  readonly keys: readonly string[]
}

/** What a person typed or pasted, a source a line: http(s) links, and keys, which are taken literally. Pure. */
export function parseSources(text: string): Sources {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const distinct = [...new Set(lines)]
  return {
    urls: distinct.filter((line) => isLink(line)),
    keys: distinct.filter((line) => !isLink(line)),
  }
}

function isLink(line: string): boolean {
  return /^https?:\/\//i.test(line) && URL.canParse(line)
}

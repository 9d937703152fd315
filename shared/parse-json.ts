// Parses JSON from others. Text that is nested endlessly, or in too many pieces, would hold up the whole program.

/** No message or file that Sluice reads is nested deeper; `JSON.parse` takes seconds for millions of levels. */
const MAX_DEPTH = 64
/** The most objects and arrays; a page of 1,000 keys, or a list of 10,000 parts, has far fewer. */
const MAX_OBJECTS = 200_000

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Like `JSON.parse`, but also throws SyntaxError for text that is nested too deeply or has too many pieces. Pure. */
export function parseJson(text: string): unknown {
  if (!isModest(text)) throw new SyntaxError('The JSON is nested too deeply, or has too many objects.')
  return JSON.parse(text)
}

function isModest(text: string): boolean {
  let depth = 0
  let objects = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = endOfString(text, at + 1)
    } else if (code === 0x5b || code === 0x7b) {
      depth += 1
      objects += 1
      if (depth > MAX_DEPTH || objects > MAX_OBJECTS) return false
    } else if (code === 0x5d || code === 0x7d) {
      depth -= 1
    }
  }
  return true
}

/** The position of the quotation mark that ends a string, or the end of the text if there is none. */
function endOfString(text: string, start: number): number {
  for (let at = start; ; at += 1) {
    at = text.indexOf('"', at)
    if (at === -1) return text.length
    let slashes = 0
    while (at - 1 - slashes >= start && text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1
    if (slashes % 2 === 0) return at
  }
}

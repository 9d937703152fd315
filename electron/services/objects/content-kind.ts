// What content is, judged by its bytes alone. Whatever a server calls it, only an image or a text is shown as one.

import type { ImageType } from './image-size.ts'

/** How many bytes of an object `contentKindOf` needs, or all of a smaller one. */
export const CONTENT_START_BYTES = 4096

export type ContentKind = { readonly is: 'text' | 'drawing' } | { readonly is: 'image'; readonly type: ImageType }

/** The bytes that tell an image's format, and where they stand. Each character of `bytes` is one byte. */
const SIGNATURES: readonly { readonly type: ImageType; readonly at: number; readonly bytes: string }[] = [
  { type: 'image/png', at: 0, bytes: '\x89PNG\r\n\x1a\n' },
  { type: 'image/jpeg', at: 0, bytes: '\xff\xd8\xff' },
  { type: 'image/gif', at: 0, bytes: 'GIF8' },
  { type: 'image/webp', at: 8, bytes: 'WEBP' },
  { type: 'image/avif', at: 4, bytes: 'ftypavif' },
  { type: 'image/bmp', at: 0, bytes: 'BM' },
  { type: 'image/x-icon', at: 0, bytes: '\0\0\x01\0' },
]

/** The kind of an object that begins with these bytes; null when it can't be shown. Pure. */
export function contentKindOf(start: Uint8Array): ContentKind | null {
  const text = textOf(start, start.length < CONTENT_START_BYTES)
  if (text !== null) return { is: isSvg(text) ? 'drawing' : 'text' }
  const latin = Buffer.from(start.subarray(0, 32)).toString('latin1')
  const known = SIGNATURES.find(({ at, bytes }) => latin.startsWith(bytes, at))
  return known === undefined ? null : { is: 'image', type: known.type }
}

/** Decodes UTF-8; null when the bytes are no text. Unless `isWhole`, the last character may be cut. Pure. */
export function textOf(bytes: Uint8Array, isWhole: boolean): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole })
    return hasControls(text) ? null : text
  } catch {
    return null
  }
}

/** Texts contain tabs, line and page breaks, and terminal colors; other control characters mean binary data. */
function hasControls(text: string): boolean {
  // eslint-disable-next-line no-control-regex
  return /[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text)
}

/** What may stand before a document's first element. */
const BEFORE_ELEMENTS = [
  { begins: '<?', ends: '?>' },
  { begins: '<!--', ends: '-->' },
  { begins: '<!', ends: '>' },
]

/** Elements that draw others again, or many pixels: a few lines of them may keep a page busy forever. */
const COSTLY = /<!ENTITY|<(?:[\w-]+:)?(?:use|image|feImage|filter|pattern|mask|marker|foreignObject)\b/i
const MOST_CLIPS = 8

/** Whether an SVG takes about as little time to draw as to read. Pure. */
export function isPlainDrawing(text: string): boolean {
  if (COSTLY.test(text)) return false
  const clips = text.split(/clip-path/i).length - 1
  return clips <= (/<style/i.test(text) ? 0 : MOST_CLIPS)
}

function isSvg(text: string): boolean {
  let rest = text.trimStart()
  for (;;) {
    const before = BEFORE_ELEMENTS.find(({ begins }) => rest.startsWith(begins))
    if (before === undefined) return /^<svg[\s/>]/.test(rest)
    const end = rest.indexOf(before.ends)
    if (end < 0) return false
    rest = rest.slice(end + before.ends.length).trimStart()
  }
}

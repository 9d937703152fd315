/** An element with its children and the text directly inside it. */
export interface XmlElement {
  /** Without a namespace prefix. */
  readonly name: string
  readonly text: string
  readonly children: readonly XmlElement[]
}

/** Returns the untrimmed text of the first child with that name; null when there is none. */
export function childText(element: XmlElement | null, name: string): string | null {
  return element?.children.find((child) => child.name === name)?.text ?? null
}

interface OpenElement {
  readonly tag: string
  readonly name: string
  text: string
  readonly children: XmlElement[]
}

const START_TAG = /([A-Za-z_][\w.-]*)(?::([A-Za-z_][\w.-]*))?(?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*(\/?)>/y
const END_TAG = /\/([\w.:-]+)\s*>/y
const REFERENCE = /&(?:(lt|gt|quot|apos|amp)|#(\d{1,7})|#x([\dA-Fa-f]{1,6}));/g
const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

/** No service writes this many levels or tags; millions of them would take seconds and a gigabyte. */
const MAX_DEPTH = 64
const MAX_TAGS = 400_000

/**
 * Parses a document as S3 services write them: elements, text, the five named entities, character references, CDATA.
 * Attributes are skipped. Returns the root element, or null for anything else, including documents with a DTD, which no
 * service writes and which could grow without bound, and those with too many elements or levels.
 */
export function parseXml(document: string): XmlElement | null {
  const open: OpenElement[] = [{ tag: '', name: '', text: '', children: [] }]
  let position = document.charCodeAt(0) === 0xfeff ? 1 : 0
  for (let tags = 0; tags <= MAX_TAGS; tags += 1) {
    const current = open.at(-1)
    if (current === undefined || open.length > MAX_DEPTH) return null
    const next = document.indexOf('<', position)
    const text = document.slice(position, next === -1 ? undefined : next)
    // Only white space may surround the root.
    if (open.length === 1 && text.trim() !== '') return null
    current.text += text.includes('&') ? decodeReferences(text) : text
    if (next === -1) return open.length === 1 && current.children.length === 1 ? (current.children[0] ?? null) : null
    const end = takeMarkup(document, next + 1, open)
    if (end === null) return null
    position = end
  }
  return null
}

/** Reads the markup after the `<` at `position` - 1; returns the position after it, or null when malformed. */
function takeMarkup(document: string, position: number, open: OpenElement[]): number | null {
  const current = open.at(-1)
  if (current === undefined) return null
  switch (document[position]) {
    case '?':
      return after(document, '?>', position)
    case '/': {
      END_TAG.lastIndex = position
      const match = END_TAG.exec(document)
      if (match === null || match[1] !== current.tag || open.length === 1) return null
      open.pop()
      open.at(-1)?.children.push({ name: current.name, text: current.text, children: current.children })
      return END_TAG.lastIndex
    }
    case '!': {
      if (document.startsWith('!--', position)) return after(document, '-->', position + 3)
      const end = document.startsWith('![CDATA[', position) ? after(document, ']]>', position) : null
      if (end !== null) current.text += document.slice(position + 8, end - 3)
      return end
    }
    default: {
      START_TAG.lastIndex = position
      const match = START_TAG.exec(document)
      if (match === null) return null
      const [, first = '', second, slash] = match
      const element = { tag: second === undefined ? first : `${first}:${second}`, name: second ?? first, text: '' }
      if (slash === '/') current.children.push({ name: element.name, text: '', children: [] })
      else open.push({ ...element, children: [] })
      return START_TAG.lastIndex
    }
  }
}

function after(document: string, mark: string, position: number): number | null {
  const found = document.indexOf(mark, position)
  return found === -1 ? null : found + mark.length
}

function decodeReferences(text: string): string {
  return text.replace(REFERENCE, (all, name?: string, decimal?: string, hex?: string) => {
    if (name !== undefined) return NAMED[name] ?? all
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : all
  })
}

const NAMES: ReadonlyMap<string, string> = new Map(Object.entries(NAMED).map(([name, sign]) => [sign, `&${name};`]))

/** Escapes text for use inside an element. Some services read only the references that have names. */
export function escapeXml(text: string): string {
  return text.replace(/[<>&"'\r]/g, (sign) => NAMES.get(sign) ?? `&#${sign.charCodeAt(0)};`)
}

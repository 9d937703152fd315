// XML as S3 sends and takes it: bodies of requests are written, those of responses taken apart.

import { createHash } from 'node:crypto'
import type { ParseBody } from '../messages/responses.ts'
import { parseXml, type XmlElement } from '../messages/xml.ts'

const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/'

/** The body of a request, `content` being XML inside of its root element, with the headers that go with it. */
export function xmlRequest(root: string, content: string) {
  const body = Buffer.from(`<${root} xmlns="${NAMESPACE}">${content}</${root}>`)
  const contentMd5 = createHash('md5').update(body).digest('base64')
  return { body, headers: { 'content-type': 'application/xml', 'content-md5': contentMd5 } }
}

type Members = Record<string, unknown>

/**
 * Elements that may come several times in a row, and how their list is called in the responses of docs/dialect.md
 * (Requests).
 */
const LISTS: ReadonlyMap<string, string> = new Map([
  ['Part', 'Parts'],
  ['Upload', 'Uploads'],
  ['Contents', 'Contents'],
  ['CommonPrefixes', 'CommonPrefixes'],
])
/** In these, `EncodingType` speaks of keys. */
const ENCODED: ReadonlySet<string> = new Set(['Key', 'Prefix'])
const NUMBERS: ReadonlySet<string> = new Set(['PartNumber', 'Size'])

/** Takes an XML response apart into the members that its JSON twin has; null for any root element but `root`. */
export function xmlParser(root: string): ParseBody {
  return (text) => {
    const element = parseXml(text.trimStart())
    if (element?.name !== root) return null
    try {
      return membersOf(element)
    } catch {
      // A key that is no percent-encoded text.
      return null
    }
  }
}

function membersOf(root: XmlElement): Members {
  const isEncoded = root.children.some(({ name, text }) => name === 'EncodingType' && text === 'url')
  const members: Members = {}
  for (const child of root.children) {
    const list = LISTS.get(child.name)
    if (list === undefined) members[child.name] = valueOf(child, false)
    else ((members[list] ??= []) as unknown[]).push(entryOf(child, isEncoded))
  }
  // Ceph leaves NextMarker as it is where it encodes keys, Amazon does not: the last entry says the same for certain.
  if (members['Contents'] !== undefined || members['CommonPrefixes'] !== undefined) delete members['NextMarker']
  if (members['Uploads'] !== undefined) {
    delete members['NextKeyMarker']
    delete members['NextUploadIdMarker']
  }
  return members
}

function entryOf(element: XmlElement, isEncoded: boolean): unknown {
  const entry: Members = {}
  for (const child of element.children) entry[child.name] = valueOf(child, isEncoded)
  return element.name === 'CommonPrefixes' ? entry['Prefix'] : entry
}

function valueOf({ name, text }: XmlElement, isEncoded: boolean): unknown {
  if (name === 'IsTruncated') return text.trim() === 'true'
  if (NUMBERS.has(name)) return text.trim() === '' ? undefined : Number(text)
  if (isEncoded && ENCODED.has(name)) return decodeURIComponent(text.replace(/\+/g, '%20'))
  // An empty element says as much as none.
  return text === '' ? undefined : text
}

// XML as S3 sends and accepts it: writes bodies of requests and parses those of responses.

import { createHash } from 'node:crypto'
import type { ParseBody } from '../messages/responses.ts'
import { parseXml, type XmlElement } from '../messages/xml.ts'

const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/'

/** Builds the body of a request, with `content` as XML inside its root element, and the headers that go with it. */
export function xmlRequest(root: string, content: string) {
  const body = Buffer.from(`<${root} xmlns="${NAMESPACE}">${content}</${root}>`)
  const contentMd5 = createHash('md5').update(body).digest('base64')
  return { body, headers: { 'content-type': 'application/xml', 'content-md5': contentMd5 } }
}

type Members = Record<string, unknown>

/** Elements that may repeat, and the names of their lists in the responses of docs/dialect.md (Requests). */
const LISTS: ReadonlyMap<string, string> = new Map([
  ['Part', 'Parts'],
  ['Upload', 'Uploads'],
  ['Contents', 'Contents'],
  ['CommonPrefixes', 'CommonPrefixes'],
])
/** The elements to which `EncodingType` applies. */
const ENCODED: ReadonlySet<string> = new Set(['Key', 'Prefix'])
const NUMBERS: ReadonlySet<string> = new Set(['PartNumber', 'Size'])

/** Parses an XML response to the members of its JSON twin; returns null for any root element but `root`. */
export function xmlParser(root: string): ParseBody {
  return (text) => {
    const element = parseXml(text.trimStart())
    if (element?.name !== root) return null
    try {
      return membersOf(element)
    } catch {
      // A key is not valid percent-encoded text.
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
  // Where keys are encoded, Ceph leaves NextMarker as it is and Amazon does not; the last entry tells for certain.
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
  // An empty element counts as absent.
  return text === '' ? undefined : text
}

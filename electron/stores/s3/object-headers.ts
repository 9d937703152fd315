import type { HttpResponse } from '../http/exchange.ts'
import type { ObjectMetadata, ObjectTraits } from '../port/object-store.ts'

const PREFIX = 'x-amz-meta-'

/** Formats user metadata as headers. */
export function metadataHeaders(metadata: ObjectMetadata = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(metadata).map(([name, value]) => [PREFIX + name.toLowerCase(), value]))
}

/** Reads user metadata from an object's headers. */
export function metadataOf({ headers }: Pick<HttpResponse, 'headers'>): ObjectMetadata {
  const found = [...headers].filter(([name]) => name.startsWith(PREFIX))
  return Object.fromEntries(found.map(([name, value]) => [name.slice(PREFIX.length), value]))
}

/** Returns the condition that the key is not taken. */
export function ifAbsentHeader(isWanted: boolean): Readonly<Record<string, string>> {
  return isWanted ? { 'if-none-match': '*' } : {}
}

/** Describe the content; CopyObject takes them over by itself, as it does metadata. */
const OF_CONTENT = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
]
/** What CopyObject gives up unless it is told. */
const NOT_COPIED = ['x-amz-storage-class', 'x-amz-website-redirect-location']
const ENCRYPTION = 'x-amz-server-side-encryption'
/** The key of a key management service. Other encryption is the bucket's own business. */
const KMS_KEY = [ENCRYPTION, `${ENCRYPTION}-aws-kms-key-id`, `${ENCRYPTION}-bucket-key-enabled`]
/** How many tags an object has. No request takes it; it says whether there are tags to ask for. */
const TAG_COUNT = 'x-amz-tagging-count'

/** Reads from an object's headers what a copy must be told to be like it. */
export function traitsOf({ headers }: Pick<HttpResponse, 'headers'>): ObjectTraits {
  const isKms = headers.get(ENCRYPTION)?.startsWith('aws:kms') === true
  const names = new Set([...OF_CONTENT, ...NOT_COPIED, TAG_COUNT, ...(isKms ? KMS_KEY : [])])
  return Object.fromEntries([...headers].filter(([name]) => names.has(name) || name.startsWith(PREFIX)))
}

/** Returns the traits that CopyObject must be told. */
export function traitsOfCopy(traits: ObjectTraits): ObjectTraits {
  const names = new Set([...NOT_COPIED, ...KMS_KEY])
  return Object.fromEntries(Object.entries(traits).filter(([name]) => names.has(name)))
}

/** Returns the traits that CreateMultipartUpload must be told, which are all but the tags. */
export function traitsOfUpload({ [TAG_COUNT]: _count, ...traits }: ObjectTraits): ObjectTraits {
  return traits
}

export function hasTags(traits: ObjectTraits): boolean {
  return Number(traits[TAG_COUNT] ?? 0) > 0
}

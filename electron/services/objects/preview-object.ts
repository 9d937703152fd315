import { PREVIEW_MAX_BYTES, PREVIEW_MAX_PIXELS } from '../../../shared/limits.ts'
import type { FilePreview } from '../../../shared/ipc/object-requests.ts'
import type { ObjectStore } from '../../stores/port/object-store.ts'
import { CONTENT_START_BYTES, contentKindOf, isPlainDrawing, textOf, type ContentKind } from './content-kind.ts'
import { pixelsOf, type ImageType } from './image-size.ts'

const TOO_LARGE: FilePreview = { kind: 'none', why: 'too-large' }
const UNKNOWN: FilePreview = { kind: 'none', why: 'unknown-kind' }
const TOO_MANY_PIXELS: FilePreview = { kind: 'none', why: 'too-many-pixels' }
const DAMAGED: FilePreview = { kind: 'none', why: 'damaged' }
/** How much of a text is shown. */
export const PREVIEW_TEXT_BYTES = 64 * 1024
/** The most of an SVG that is drawn; a longer one is shown as text. */
const DRAWING_BYTES = 256 * 1024

/**
 * Reads as much of an object as a preview takes: all of an image, the beginning of a text, and of anything else only
 * enough to tell that it is neither. Throws StoreError, and the signal's reason.
 */
export async function previewObject(store: ObjectStore, key: string, signal: AbortSignal): Promise<FilePreview> {
  const response = await store.getObject({ key, range: { start: 0, end: PREVIEW_MAX_BYTES }, signal })
  // An empty object has no range to return.
  if (response.kind !== 'content') return { kind: 'text', text: '', isCut: false }
  const { sizeBytes } = response.head
  if (sizeBytes !== null && sizeBytes > PREVIEW_MAX_BYTES) {
    await response.body[Symbol.asyncIterator]().return?.()
    return TOO_LARGE
  }
  return previewContent(response.body)
}

/** Previews any bytes in the same way; leaves those that it doesn't need unread. */
export async function previewContent(body: AsyncIterable<Uint8Array>): Promise<FilePreview> {
  const { kind, bytes, isWhole } = await readContent(body)
  if (kind === null) return UNKNOWN
  if (kind.is === 'image') return isWhole ? previewOfImage(kind.type, bytes) : TOO_LARGE
  const drawing = kind.is === 'drawing' && isWhole ? textOf(bytes, true) : null
  return drawing !== null && isPlainDrawing(drawing) ? imageOf('image/svg+xml', bytes) : previewOfText(bytes, isWhole)
}

function previewOfImage(type: ImageType, bytes: Buffer): FilePreview {
  const pixels = pixelsOf(type, bytes)
  if (pixels === null) return DAMAGED
  return pixels > PREVIEW_MAX_PIXELS ? TOO_MANY_PIXELS : imageOf(type, bytes)
}

function imageOf(type: string, bytes: Buffer): FilePreview {
  return { kind: 'image', url: `data:${type};base64,${bytes.toString('base64')}` }
}

interface Content {
  readonly kind: ContentKind | null
  readonly bytes: Buffer
  readonly isWhole: boolean
}

async function readContent(body: AsyncIterable<Uint8Array>): Promise<Content> {
  const blocks: Buffer[] = []
  let length = 0
  let kind: ContentKind | null = null
  for await (const block of body) {
    // Copied, because the block's memory is reused for the next one.
    blocks.push(Buffer.from(block))
    length += block.length
    if (kind === null && length >= CONTENT_START_BYTES) kind = contentKindOf(Buffer.concat(blocks))
    const isEnough = kind === null ? length >= CONTENT_START_BYTES : length > mostOf(kind)
    if (isEnough) return { kind, bytes: Buffer.concat(blocks).subarray(0, mostOf(kind)), isWhole: false }
  }
  const bytes = Buffer.concat(blocks)
  return { kind: kind ?? contentKindOf(bytes), bytes, isWhole: true }
}

function mostOf(kind: ContentKind | null): number {
  switch (kind?.is) {
    case 'image':
      return PREVIEW_MAX_BYTES
    case 'drawing':
      return DRAWING_BYTES
    default:
      return PREVIEW_TEXT_BYTES
  }
}

/** Shows the bytes as text, unless what comes after the beginning turns out not to be text. */
function previewOfText(bytes: Uint8Array, isWhole: boolean): FilePreview {
  const isCut = !isWhole || bytes.length > PREVIEW_TEXT_BYTES
  const text = textOf(bytes.subarray(0, PREVIEW_TEXT_BYTES), !isCut)
  return text === null ? UNKNOWN : { kind: 'text', text, isCut }
}

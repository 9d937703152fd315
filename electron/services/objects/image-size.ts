// How many pixels an image has, from its own header. A small file may decode to more than a page can bear.

export type ImageType =
  'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/avif' | 'image/bmp' | 'image/x-icon'

type Reader = (bytes: Buffer) => number

/** The pixels of an image, or of the largest one in the file; null when its header can't be read. Pure. */
export function pixelsOf(type: ImageType, bytes: Buffer): number | null {
  try {
    const pixels = READERS[type](bytes)
    return pixels > 0 ? pixels : null
  } catch {
    // The header points past the end.
    return null
  }
}

const READERS: Readonly<Record<ImageType, Reader>> = {
  'image/png': (bytes) => pngPixels(bytes, 0),
  'image/jpeg': jpegPixels,
  'image/gif': gifPixels,
  'image/webp': webpPixels,
  'image/avif': avifPixels,
  'image/bmp': (bytes) => bitmapPixels(bytes, 14),
  'image/x-icon': iconPixels,
}

const PNG_START = '\x89PNG\r\n\x1a\n'

function pngPixels(bytes: Buffer, at: number): number {
  return bytes.readUInt32BE(at + 16) * bytes.readUInt32BE(at + 20)
}

/** Reads the header of a Windows bitmap; a header of 12 bytes is OS/2's. */
function bitmapPixels(bytes: Buffer, at: number): number {
  if (bytes.readUInt32LE(at) === 12) return bytes.readUInt16LE(at + 4) * bytes.readUInt16LE(at + 6)
  // A negative height means that the rows run from the top.
  return Math.abs(bytes.readInt32LE(at + 4) * bytes.readInt32LE(at + 8))
}

function iconPixels(bytes: Buffer): number {
  const entries = Array.from({ length: bytes.readUInt16LE(4) }, (_, index) => bytes.readUInt32LE(6 + 16 * index + 12))
  return Math.max(
    ...entries.map((at) => (startsWith(bytes, PNG_START, at) ? pngPixels(bytes, at) : bitmapPixels(bytes, at))),
  )
}

/** A first frame that is larger than the image's screen enlarges the screen. */
function gifPixels(bytes: Buffer): number {
  const tableBytes = (flags: number) => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1))
  let at = 13 + tableBytes(bytes.readUInt8(10))
  for (; bytes.readUInt8(at) === 0x21; at += 1) {
    at += 2
    while (bytes.readUInt8(at) > 0) at += 1 + bytes.readUInt8(at)
  }
  const [left, top, width, height] = [1, 3, 5, 7].map((offset) => bytes.readUInt16LE(at + offset)) as Four
  return Math.max(bytes.readUInt16LE(6), left + width) * Math.max(bytes.readUInt16LE(8), top + height)
}

type Four = [number, number, number, number]

/** Markers that begin a frame; the three others in this range don't. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
/** Markers without a length. */
const isAlone = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)

function jpegPixels(bytes: Buffer): number {
  for (let at = 2; ;) {
    // Skips whatever lies between markers, as other decoders do.
    while (bytes.readUInt8(at) !== 0xff || bytes.readUInt8(at + 1) === 0xff || bytes.readUInt8(at + 1) === 0) at += 1
    const marker = bytes.readUInt8(at + 1)
    if (isFrame(marker)) return bytes.readUInt16BE(at + 5) * bytes.readUInt16BE(at + 7)
    at += isAlone(marker) ? 2 : 2 + bytes.readUInt16BE(at + 2)
  }
}

function webpPixels(bytes: Buffer): number {
  if (startsWith(bytes, 'VP8X', 12)) return (1 + bytes.readUIntLE(24, 3)) * (1 + bytes.readUIntLE(27, 3))
  if (startsWith(bytes, 'VP8L', 12)) {
    const packed = bytes.readUInt32LE(21)
    return (1 + (packed & 0x3fff)) * (1 + ((packed >>> 14) & 0x3fff))
  }
  if (!startsWith(bytes, 'VP8 ', 12)) return 0
  return (bytes.readUInt16LE(26) & 0x3fff) * (bytes.readUInt16LE(28) & 0x3fff)
}

/** The properties hold the size of every image in the file, and of the image that they are assembled into. */
function avifPixels(bytes: Buffer): number {
  const meta = boxOf(bytes, 'meta')
  const sizes: number[] = []
  for (let at = meta.indexOf('ispe'); at >= 0; at = meta.indexOf('ispe', at + 4)) {
    sizes.push(meta.readUInt32BE(at + 8) * meta.readUInt32BE(at + 12))
  }
  return Math.max(0, ...sizes)
}

/** The named box at the top level of an ISO media file; empty when there is none. */
function boxOf(bytes: Buffer, name: string): Buffer {
  for (let at = 0; ;) {
    const length = bytes.readUInt32BE(at)
    if (startsWith(bytes, name, at + 4)) return bytes.subarray(at, length === 0 ? undefined : at + length)
    // Another box fills the rest of the file (0), or has a 64-bit length (1), which no preview reaches.
    if (length < 8) return Buffer.alloc(0)
    at += length
  }
}

function startsWith(bytes: Buffer, text: string, at: number): boolean {
  return bytes.subarray(at, at + text.length).toString('latin1') === text
}

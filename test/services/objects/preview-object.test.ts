import { expect, it } from 'vitest'
import { PREVIEW_TEXT_BYTES, previewObject } from '../../../electron/services/objects/preview-object.ts'
import type { ObjectStore } from '../../../electron/stores/port/object-store.ts'
import { PREVIEW_MAX_BYTES } from '../../../shared/limits.ts'
import { signal } from '../../stores/support/open-store.ts'
import { contentStore } from '../../support/fakes/content-store.ts'

const latin = (text: string) => Buffer.from(text, 'latin1')
const PNG = png(4, 4)
const LARGE = 30_000

function png(width: number, height: number): Buffer {
  return Buffer.concat([latin('\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR'), uint32(width), uint32(height)])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** Numbers of so many bytes each, the lowest byte first. */
function little(byteCount: number, ...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(byteCount * values.length)
  values.forEach((value, index) => bytes.writeUIntLE(value, index * byteCount, byteCount))
  return bytes
}

function jpeg(width: number, height: number): Buffer {
  const size = Buffer.concat([uint32(height).subarray(2), uint32(width).subarray(2)])
  return Buffer.concat([latin('\xff\xd8\xff\xe0\0\x06JFIF\0\0\xff\xff\xc4\0\x03x\xff\xc2\0\x0b\x08'), size])
}

function gif(screen: number, frame: number): Buffer {
  const extension = latin('!\xf9\x04\0\0\0\0\0')
  return Buffer.concat([
    ...[latin('GIF89a'), little(2, screen, screen), latin('\x80\0\0'), Buffer.alloc(6, 0xff)],
    ...[extension, latin(','), little(2, 0, 0, frame, frame)],
  ])
}

function webp(kind: string, rest: Buffer): Buffer {
  return Buffer.concat([latin('RIFF\xff\0\0\0WEBP'), latin(kind), latin('\xff\0\0\0'), rest])
}

const lossy = (side: number) => webp('VP8 ', Buffer.concat([latin('\0\0\0\x9d\x01\x2a'), little(2, side, side)]))
const lossless = (side: number) => webp('VP8L', Buffer.concat([latin('/'), little(4, (side - 1) * 0x4001)]))
const extended = (side: number) => webp('VP8X', Buffer.concat([little(4, 0), little(3, side - 1, side - 1)]))

function avif(...sides: readonly number[]): Buffer {
  const sizes = sides.map((side) => Buffer.concat([latin('\0\0\0\x14ispe\0\0\0\0'), uint32(side), uint32(side)]))
  const meta = Buffer.concat([latin('meta'), ...sizes])
  return Buffer.concat([latin('\0\0\0\x0cftypavif'), uint32(meta.length + 4), meta])
}

const bitmap = (width: number, height: number) =>
  Buffer.concat([little(4, 40), little(4, width), uint32(height).reverse()])
const bmp = (side: number) => Buffer.concat([latin('BM'), Buffer.alloc(12, 0xff), bitmap(side, 2 ** 32 - side)])

function icon(...images: readonly Buffer[]): Buffer {
  let at = 6 + 16 * images.length
  const entries = images.map((image) => {
    at += image.length
    return Buffer.concat([Buffer.alloc(12, 0xff), little(4, at - image.length)])
  })
  return Buffer.concat([latin('\0\0\x01\0'), little(2, images.length), ...entries, ...images])
}

const previewOf = (bytes: Buffer) => previewObject(contentStore(bytes), 'it', signal)

it.each([
  ['a PNG', PNG, 'image/png'],
  ['a JPEG', jpeg(7000, 7000), 'image/jpeg'],
  ['a GIF', gif(1, 7000), 'image/gif'],
  ['a WebP', lossy(7000), 'image/webp'],
  ['a lossless WebP', lossless(7000), 'image/webp'],
  ['a WebP with more in it', extended(7000), 'image/webp'],
  ['an AVIF', avif(7000, 10), 'image/avif'],
  ['a bitmap', bmp(7000), 'image/bmp'],
  ['an icon', icon(bitmap(32, 64), png(256, 256)), 'image/x-icon'],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml'],
  [
    'an SVG with a prologue',
    Buffer.from('\ufeff<?xml version="1.0"?>\n<!-- <html> -->\n<!DOCTYPE svg>\n<svg/>'),
    'image/svg+xml',
  ],
])('shows %s as an image, whatever it is called', async (_, bytes, type) => {
  expect(await previewOf(bytes)).toEqual({ kind: 'image', url: `data:${type};base64,${bytes.toString('base64')}` })
})

it.each([
  ['a PNG', png(LARGE, LARGE)],
  ['a JPEG', jpeg(LARGE, LARGE)],
  ['a GIF', gif(1, LARGE)],
  ['a GIF with a small frame', gif(LARGE, 1)],
  ['a WebP', lossy(16_000)],
  ['a lossless WebP', lossless(16_000)],
  ['a WebP with more in it', extended(LARGE)],
  ['an AVIF', avif(10, LARGE)],
  ['a bitmap', bmp(LARGE)],
  ['an icon', icon(bitmap(32, 64), png(LARGE, LARGE))],
])('shows no image of too many pixels, whatever its few bytes come to: %s', async (_, bytes) => {
  expect(await previewOf(bytes)).toEqual({ kind: 'none', why: 'too-many-pixels' })
})

it('says of an image whose size can’t be read that it may be damaged', async () => {
  const cut = [PNG.subarray(0, 20), latin('\xff\xd8\xff\xe0'), gif(9, 9).subarray(0, 14), lossy(9).subarray(0, 24)]
  for (const bytes of [...cut, webp('ODD ', Buffer.alloc(20)), avif(), icon()]) {
    expect(await previewOf(bytes)).toEqual({ kind: 'none', why: 'damaged' })
  }
})

it.each([
  ['shapes that are drawn again and again', '<svg><g id="a"/><use href="#a"/></svg>'],
  ['an image of its own', '<svg:svg xmlns:svg="s"><svg:image href="data:image/png;base64,"/></svg:svg>'],
  ['entities', '<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg>&a;</svg>'],
  ['what is clipped by rules of a style', '<svg><style>g{clip-path:url(#a)}</style><clipPath id="a"/><g/></svg>'],
  ['much that is clipped', `<svg>${'<g clip-path="url(#a)"/>'.repeat(50)}</svg>`],
  ['very much', `<svg>${'<g/>'.repeat(100_000)}</svg>`],
])('shows an SVG with %s as the text that it is', async (_, text) => {
  expect(await previewOf(Buffer.from(text))).toMatchObject({ kind: 'text', text: text.slice(0, PREVIEW_TEXT_BYTES) })
})

it.each([
  ['words', 'Zürich 🎬\tand\r\nlines'],
  ['a page', '<!doctype html><script>alert(1)</script><svg></svg>'],
  ['nothing', ''],
])('shows %s as text', async (_, text) => {
  expect(await previewOf(Buffer.from(text))).toEqual({ kind: 'text', text, isCut: false })
})

it.each([
  ['no UTF-8', latin('Z\xfcrich')],
  ['a letter that is cut', Buffer.from('Zürich').subarray(0, 2)],
  ['control characters', Buffer.from('PK\x03\x04')],
  ['zeros', Buffer.alloc(10_000)],
  ['no text after its beginning', Buffer.concat([Buffer.alloc(10_000, 'a'), latin('\xff')])],
])('shows nothing of %s', async (_, bytes) => {
  expect(await previewOf(bytes)).toEqual({ kind: 'none', why: 'unknown-kind' })
})

it('shows the beginning of a long text, its last letter whole', async () => {
  const text = `a${'é'.repeat(100_000)}`
  const preview = await previewOf(Buffer.from(text))
  expect(preview).toEqual({ kind: 'text', text: `a${'é'.repeat(PREVIEW_TEXT_BYTES / 2 - 1)}`, isCut: true })
})

it('shows an image of 5 MB, and none that is larger', async () => {
  const largest = Buffer.concat([PNG, Buffer.alloc(PREVIEW_MAX_BYTES - PNG.length)])
  expect((await previewOf(largest)).kind).toBe('image')
  expect(await previewOf(Buffer.concat([largest, PNG]))).toEqual({ kind: 'none', why: 'too-large' })
})

it('leaves what is neither image nor text after its beginning, and what is too large where no size is told', async () => {
  const head = { sizeBytes: null }
  let blocks = 0
  const storeOf = (block: Buffer) => {
    async function* body() {
      for (blocks = 0; blocks < 10_000; blocks += 1) yield block
    }
    const response = () => Promise.resolve({ kind: 'content', status: 200, head, body: body() })
    return { getObject: response } as unknown as ObjectStore
  }
  expect(await previewObject(storeOf(Buffer.alloc(5000)), 'it', signal)).toEqual({ kind: 'none', why: 'unknown-kind' })
  expect(blocks).toBe(0)
  const image = storeOf(Buffer.concat([PNG, Buffer.alloc(1_000_000)]))
  expect(await previewObject(image, 'it', signal)).toEqual({ kind: 'none', why: 'too-large' })
  expect(blocks).toBeLessThan(10)
})

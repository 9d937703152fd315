import { expect, it } from 'vitest'
import { previewObject } from '../../../electron/services/objects/preview-object.ts'
import type { ObjectStore } from '../../../electron/stores/port/object-store.ts'
import { PREVIEW_MAX_BYTES, PREVIEW_TEXT_BYTES } from '../../../shared/limits.ts'
import { signal } from '../../stores/support/open-store.ts'
import { contentStore } from '../../support/fakes/content-store.ts'

const latin = (text: string) => Buffer.from(text, 'latin1')
const PNG = latin('\x89PNG\r\n\x1a\n')

const previewOf = (bytes: Buffer) => previewObject(contentStore(bytes), 'it', signal)

it.each([
  ['a PNG', PNG, 'image/png'],
  ['a JPEG', latin('\xff\xd8\xff\xe0'), 'image/jpeg'],
  ['a GIF', latin('GIF89a\xff'), 'image/gif'],
  ['a WebP', latin('RIFF\xff\0\0\0WEBPVP8 '), 'image/webp'],
  ['an AVIF', latin('\0\0\0\x20ftypavif\0'), 'image/avif'],
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
    const answer = () => Promise.resolve({ kind: 'content', status: 200, head, body: body() })
    return { getObject: answer } as unknown as ObjectStore
  }
  expect(await previewObject(storeOf(Buffer.alloc(5000)), 'it', signal)).toEqual({ kind: 'none', why: 'unknown-kind' })
  expect(blocks).toBe(0)
  const image = storeOf(Buffer.concat([PNG, Buffer.alloc(1_000_000)]))
  expect(await previewObject(image, 'it', signal)).toEqual({ kind: 'none', why: 'too-large' })
  expect(blocks).toBeLessThan(10)
})

import { expect, it } from 'vitest'
import { pagesOf } from '../../../renderer/uploads/use-unfinished.ts'
import type { UnfinishedUploadsPage, UploadMarkers } from '../../../shared/ipc/unfinished-upload.ts'

const at = (keyMarker: string): UploadMarkers => ({ keyMarker, uploadIdMarker: 'u' })

async function askedFor(next: (after: UploadMarkers | null) => UploadMarkers | null): Promise<string[]> {
  const asked: string[] = []
  const pages = pagesOf((after) => {
    asked.push(after?.keyMarker ?? '')
    return Promise.resolve({ uploads: [], next: next(after) } satisfies UnfinishedUploadsPage)
  })
  for await (const page of pages) expect(page.uploads).toEqual([])
  return asked
}

it('asks for page after page to the last', async () => {
  const asked = await askedFor((after) => (after === null ? at('a-b') : after.keyMarker === 'a-b' ? at('a') : null))
  expect(asked).toEqual(['', 'a-b', 'a'])
})

it('ends a list whose pages go round in circles', async () => {
  await expect(askedFor((after) => at(after?.keyMarker === 'a-b' ? 'a' : 'a-b'))).rejects.toThrow()
})

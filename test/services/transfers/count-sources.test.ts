import { expect, it } from 'vitest'
import { createSourceSums } from '../../../electron/services/transfers/count-sources.ts'
import type { WalkPage } from '../../../electron/engine/folders/upload/source-files.ts'

const page = (files: number, skipped = 0): WalkPage => ({
  files: Array.from({ length: files }, (_, number) => ({ name: String(number), sizeBytes: 2, modifiedMs: 1 })),
  skipped: Array.from({ length: skipped }, (_, number) => ({ path: `/${number}`, reason: 'link' as const })),
  emptyFolders: 1,
})

it('tells what is counted so far, and the same again once it is done', async () => {
  let goOn: () => void = () => undefined
  const gate = new Promise<void>((resolve) => (goOn = resolve))
  async function* walk() {
    yield Promise.resolve(page(3, 150))
    await gate
    yield page(4)
  }
  let opened = 0
  const sums = createSourceSums(() => {
    opened += 1
    return { walk, close: () => Promise.resolve() }
  })
  const request = { id: 'one', paths: ['/photos'] }
  const first = await sums.measure(request)
  expect(first).toMatchObject({ files: 3, sizeBytes: 6, emptyFolders: 1, isDone: false, skipped: { count: 150 } })
  expect(first.skipped.named).toHaveLength(100)
  goOn()
  const done = { files: 7, sizeBytes: 14, emptyFolders: 2, isDone: true }
  expect(await sums.measure(request)).toMatchObject(done)
  expect(await sums.measure(request)).toMatchObject(done)
  expect(opened).toBe(1)
})

it('says so when counting fails', async () => {
  // eslint-disable-next-line require-yield -- it fails before there is anything to yield
  async function* walk(): AsyncGenerator<WalkPage, void> {
    await Promise.reject(new Error('broken'))
  }
  const sums = createSourceSums(() => ({ walk, close: () => Promise.resolve() }))
  await expect(sums.measure({ id: 'one', paths: ['/photos'] })).rejects.toThrow('could not be counted')
})

import { expect, test } from 'vitest'
import { measureFolder, sumSizes, type FolderSize } from '../../../renderer/sheet-parts/measure-folder.ts'

const KEEPS_GOING = new AbortController().signal

test('a folder is counted page by page, with a report after each page', async () => {
  const told: FolderSize[] = []
  const pages = new Map([
    [null, { objects: 1000, sizeBytes: 5, nextMarker: 'm' }],
    ['m', { objects: 204, sizeBytes: 7, nextMarker: null }],
  ])
  await measureFolder(
    (marker) => Promise.resolve(pages.get(marker) ?? { objects: 0, sizeBytes: 0, nextMarker: null }),
    (size) => told.push(size),
    KEEPS_GOING,
  )
  expect(told).toEqual([
    { objects: 1000, sizeBytes: 5, state: 'counting' },
    { objects: 1204, sizeBytes: 12, state: 'counted' },
  ])
})

test('counting ends at a number nobody waits for, and where the listing fails', async () => {
  const told: FolderSize[] = []
  const endless = () => Promise.resolve({ objects: 1000, sizeBytes: 1, nextMarker: 'm' })
  await measureFolder(endless, (size) => told.push(size), KEEPS_GOING)
  expect(told.at(-1)).toEqual({ objects: 100_000, sizeBytes: 100, state: 'more' })
  await measureFolder(
    () => Promise.reject(new Error('gone')),
    (size) => told.push(size),
    KEEPS_GOING,
  )
  expect(told.at(-1)).toEqual({ objects: 0, sizeBytes: 0, state: 'failed' })
})

test('counting ends where pages without an object do not', async () => {
  const told: FolderSize[] = []
  const empty = () => Promise.resolve({ objects: 0, sizeBytes: 0, nextMarker: told.length < 5000 ? 'm' : null })
  await measureFolder(empty, (size) => told.push(size), KEEPS_GOING)
  expect(told.at(-1)).toEqual({ objects: 0, sizeBytes: 0, state: 'more' })
})

test('nothing is told of a folder that is no longer picked', async () => {
  const told: FolderSize[] = []
  const page = () => Promise.resolve({ objects: 1, sizeBytes: 1, nextMarker: null })
  await measureFolder(page, (size) => told.push(size), AbortSignal.abort())
  expect(told).toEqual([])
})

test('a sum is as certain as the least certain of its parts', () => {
  const counted = { objects: 1, sizeBytes: 2, state: 'counted' } as const
  expect(sumSizes([])).toEqual({ objects: 0, sizeBytes: 0, state: 'counted' })
  expect(sumSizes([counted, counted])).toEqual({ objects: 2, sizeBytes: 4, state: 'counted' })
  expect(sumSizes([counted, { ...counted, state: 'more' }]).state).toBe('more')
  expect(
    sumSizes([
      { ...counted, state: 'counting' },
      { ...counted, state: 'failed' },
    ]).state,
  ).toBe('counting')
})

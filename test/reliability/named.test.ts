import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const TESTS = join(import.meta.dirname, '..')
/** Numbers of the black-box tests that uploads must pass, or whatever lies under both directions. */
const OF_UPLOADS = [1, 3, 5, 17, 21, 24, 25, 33, 34, 38, 39, 41, 42, 43, 44, 46, 48, 49, 51, 53, 54, 55, 58].concat([
  59, 60, 62, 63, 67, 70, 71,
])
/** And those of downloads alone. */
const OF_DOWNLOADS = [7, 9, 10, 14, 15, 18, 27, 29, 30, 32, 35, 37, 52, 56, 57, 61, 64, 65, 68, 69, 72]

/** The numbers in the names of tests, each with the files that have it. */
async function numbered(isWanted: (path: string) => boolean): Promise<ReadonlyMap<number, readonly string[]>> {
  const found = new Map<number, string[]>()
  for (const path of (await readdir(TESTS, { recursive: true })).filter((each) => /\.test\.tsx?$/.test(each))) {
    if (!isWanted(path)) continue
    const text = await readFile(join(TESTS, path), 'utf8')
    for (const [, numbers = ''] of text.matchAll(/['`]((?:T\d\d(?:, )?)+)[: ]/g)) {
      for (const [, number] of numbers.matchAll(/T(\d\d)/g)) {
        found.set(Number(number), [...(found.get(Number(number)) ?? []), path])
      }
    }
  }
  return found
}

test('every numbered test that concerns uploads is there by name', async () => {
  const found = await numbered((path) => !/download|folder-layout|safe-name/.test(path))
  expect(OF_UPLOADS.filter((number) => !found.has(number))).toEqual([])
  console.log(`Numbered tests of uploads: ${OF_UPLOADS.length}, each there by name`)
})

test('every numbered test that concerns downloads is there by name', async () => {
  const found = await numbered(() => true)
  expect(OF_DOWNLOADS.filter((number) => !found.has(number))).toEqual([])
})

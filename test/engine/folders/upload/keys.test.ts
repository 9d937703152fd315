import * as fileSystem from 'node:fs/promises'
import { link, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { composedName } from '../../../../electron/engine/files/composed-name.ts'
import { openSourceFiles } from '../../../../electron/engine/folders/upload/source-files.ts'
import { compareKeys } from '../../../../electron/stores/port/key-order.ts'
import { tempDir } from '../../../support/tools/temp-dir.ts'
import { workerUrl } from '../../../support/tools/worker-url.ts'

/** Numbers that are the same for the same seed (mulberry32). */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const CHARACTERS = [...'ab./ -!+%0~AÄäe\u0301ß日\ud7ff\ue000\uff5e', '\u{1f4f7}', '\u{10ffff}', '\n', '\\', '\u202e']

function randomName(random: (below: number) => number): string {
  const name = Array.from({ length: 1 + random(4) }, () => CHARACTERS[random(CHARACTERS.length)] ?? 'x').join('')
  const safe = name.replaceAll('/', '_')
  return safe === '.' || safe === '..' ? '_' : safe
}

async function walkAll(root: string): Promise<readonly string[]> {
  const sources = openSourceFiles([root], 'up/', await workerUrl('folders/upload/source-files-worker.ts'))
  onTestFinished(() => sources.close())
  const names: string[] = []
  for await (const { files } of sources.walk()) names.push(...files.map(({ name }) => name))
  return names
}

it.each([1, 2, 3, 4, 5, 6, 7, 8])('finds every file once, in the order of the keys, seed %i', async (seed) => {
  const random = randomNumbers(seed)
  const root = join(await tempDir(), 'root')
  await mkdir(root)
  const folders = [root]
  const written = new Set<string>()
  for (let count = 0; count < 120; count += 1) {
    const path = join(folders[random(folders.length)] ?? root, randomName(random))
    const isFolder = random(4) === 0
    const isTaken = written.has(path) || folders.includes(path)
    if (isTaken) continue
    if (isFolder) {
      await mkdir(path)
      folders.push(path)
    } else {
      await writeFile(path, 'x')
      written.add(path)
    }
  }
  const names = await walkAll(root)
  const expected = [...written].map((path) => path.slice(dirname(root).length + 1))
  expect([...names].sort()).toEqual(expected.sort())
  const byBytes = [...names].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
  expect(names).toEqual(byBytes)
})

it('compares keys as services do: by their UTF-8 bytes', () => {
  const random = randomNumbers(42)
  for (let count = 0; count < 20_000; count += 1) {
    const [one, other] = [randomName(random), randomName(random)]
    expect(Math.sign(compareKeys(one, other))).toBe(Buffer.compare(Buffer.from(one), Buffer.from(other)))
  }
})

const DECOMPOSED = 'U\u0308bung.pdf'
const COMPOSED = 'Übung.pdf'

it('gives a name that macOS keeps decomposed to its key as other systems write it', async () => {
  const path = join(await tempDir(), DECOMPOSED)
  await writeFile(path, 'x')
  expect(await walkAll(path)).toEqual([DECOMPOSED])
  expect(await composedName(path, fileSystem)).toBe(DECOMPOSED)
  // On a volume that takes both forms for one name, each leads to the file.
  await link(path, join(dirname(path), COMPOSED))
  expect(await walkAll(path)).toEqual([COMPOSED])
  expect(await composedName(path, fileSystem)).toBe(COMPOSED)
})

it('leaves out what macOS writes beside files on volumes of other systems, and nothing else', async () => {
  const root = join(await tempDir(), 'root')
  await mkdir(root)
  for (const name of ['film.mov', '._film.mov', '._alone']) await writeFile(join(root, name), 'x')
  expect(await walkAll(root)).toEqual(['root/._alone', 'root/film.mov'])
})

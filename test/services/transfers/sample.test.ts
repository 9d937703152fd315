import { createHash } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createSample, SAMPLE_NAME } from '../../../electron/services/transfers/sample.ts'
import { MIB } from '../../../shared/limits.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { transferRow } from '../../support/fakes/transfer-rows.ts'

const SIZE = 20 * MIB + 1
const added = { added: 1, skipped: [] }

async function started() {
  const folder = join(await tempDir(), 'sample')
  const sample = createSample(folder, SIZE)
  const paths: string[] = []
  const enqueue = (path: string) => {
    paths.push(path)
    return Promise.resolve(added)
  }
  await Promise.all([sample.start(enqueue), sample.start(enqueue)])
  return { sample, path: join(folder, SAMPLE_NAME), paths, enqueue }
}

it('makes one file of the size, in which no two blocks are alike', async () => {
  const { path, paths } = await started()
  const bytes = await readFile(path)
  const digests = [0, 8, 16].map((at) =>
    createHash('md5')
      .update(bytes.subarray(at * MIB, (at + 4) * MIB))
      .digest('hex'),
  )
  expect({ size: bytes.length, paths, kinds: new Set(digests).size }).toEqual({
    size: SIZE,
    paths: [path, path],
    kinds: 3,
  })
})

it('uses the file again, and makes one anew that was cut off', async () => {
  const { sample, path, enqueue } = await started()
  const before = await stat(path)
  await sample.start(enqueue)
  expect((await stat(path)).mtimeMs).toBe(before.mtimeMs)
  await writeFile(path, 'cut off')
  await sample.start(enqueue)
  expect((await stat(path)).size).toBe(SIZE)
})

it('deletes the file when its row is gone, and at a start when its transfer is done', async () => {
  const { sample, path } = await started()
  const done = transferRow({ localPath: path, status: 'completed' })
  const paused = transferRow({ localPath: path, status: 'paused' })
  await sample.tidy([paused], { keepListed: false })
  await sample.tidy([done], { keepListed: true })
  expect((await stat(path)).size).toBe(SIZE)
  await sample.tidy([done], { keepListed: false })
  await expect(stat(path)).rejects.toThrow('ENOENT')
})

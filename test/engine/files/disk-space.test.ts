import type { StatsFs } from 'node:fs'
import { expect, test } from 'vitest'
import { requireTakes } from '../../../electron/engine/files/disk-space.ts'
import { targetFailure } from '../../../electron/engine/files/file-errors.ts'
import { describeError } from '../../../shared/transfer/words/error-words.ts'

const GIB = 2 ** 30
const typed = (type: number) => ({ statfs: () => Promise.resolve({ type } as StatsFs) })

test('a file that the file system takes only in part is called too large', () => {
  const failure = Object.assign(new Error('EFBIG: file too large, write'), { code: 'EFBIG', syscall: 'write' })
  const error = targetFailure(failure, '/x')
  expect(error).toMatchObject({ info: { code: 'file-too-large' } })
  const context = { name: 'film.mov', placeName: 'Studio', bucket: 'b', localPath: '/x' }
  expect(describeError((error as { info: Parameters<typeof describeError>[0] }).info, context).sentence).toBe(
    'The disk takes no file as large as film.mov. FAT32 disks, for example, take up to 4 GB.',
  )
})

test.runIf(process.platform === 'linux')('what FAT can’t take is refused before a byte of it comes', async () => {
  const [fat, ext4] = [typed(0x4d44), typed(0xef53)]
  await expect(requireTakes(fat as never, '/usb', 4 * GIB)).rejects.toMatchObject({ info: { code: 'file-too-large' } })
  await requireTakes(fat as never, '/usb', 4 * GIB - 1)
  await requireTakes(ext4 as never, '/data', 5 * GIB)
})

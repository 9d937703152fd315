import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { previewLocalFile } from '../../../electron/services/objects/preview-local.ts'
import type { TransferItems, TransferRow } from '../../../shared/transfer/transfer.ts'
import { PREVIEW_MAX_BYTES } from '../../../shared/limits.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

async function engineWith(row: Partial<TransferRow>) {
  const folder = await tempDir()
  await mkdir(join(folder, 'folder'))
  await writeFile(join(folder, 'secret.txt'), 'hello')
  await writeFile(join(folder, 'large.txt'), Buffer.alloc(PREVIEW_MAX_BYTES + 1, 'a'))
  const { localPath = 'secret.txt', ...rest } = row
  const states = ['done', 'active', 'already-there'] as const
  const engine = {
    row: (id: string) => (id === 'one' ? { id, localPath: join(folder, localPath), ...rest } : null),
    filesOf: ({ first }: { readonly first: number }) => {
      const state = states[first]
      const found = state === undefined ? [] : [{ path: `${state}.txt`, state }]
      return Promise.resolve({ total: 3, first, files: found })
    },
    localPathOf: ({ path }: { readonly path: string }) =>
      Promise.resolve(['done.txt', 'already-there.txt'].includes(path) ? join(folder, 'secret.txt') : null),
  }
  return engine as unknown as Parameters<typeof previewLocalFile>[0]
}

const look = async (row: Partial<TransferRow>, number: number | null = null) =>
  previewLocalFile(await engineWith(row), { id: 'one', number })

test('a finished file is looked at, and one that is too large is not read', async () => {
  expect(await look({ status: 'completed' })).toEqual({ kind: 'text', text: 'hello', isCut: false })
  expect(await look({ status: 'completed', localPath: 'large.txt' })).toEqual({ kind: 'none', why: 'too-large' })
  expect(await look({ status: 'transferring' }, 0)).toMatchObject({ text: 'hello' })
  expect(await look({ status: 'transferring' }, 2)).toMatchObject({ text: 'hello' })
})

test.each([
  [{ status: 'paused' }, null, 'Only files that are finished can be previewed.'],
  [{ status: 'completed', items: {} as TransferItems }, null, 'Only files that are finished'],
  [{ status: 'completed' }, 1, 'Only files that are finished'],
  [{ status: 'completed' }, 3, 'Only files that are finished'],
  [{ status: 'completed', localPath: 'folder' }, null, 'The file is no longer at'],
  [{ status: 'completed', localPath: 'gone' }, null, 'The file is no longer at'],
] as const)('nothing else of this computer is read: %j, %j', async (row, number, why) => {
  await expect(look(row, number)).rejects.toThrow(why)
})

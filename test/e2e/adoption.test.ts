import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { MIB } from '../../shared/limits.ts'
import { openStudio, reads, shot, transferRow } from '../support/desk-window.ts'
import { createDownloadDesk } from '../support/download-desk.ts'
import { sha256 } from '../support/download-fixture.ts'
import { dropFiles } from '../support/drop-files.ts'
import { writeRandomFile } from '../support/random-file.ts'
import { tempDir } from '../support/temp-dir.ts'

const PART = 8 * MIB

it('finishes the upload of an app that was killed and lost its database', { timeout: 120_000 }, async () => {
  const { proxy } = await createDownloadDesk()
  const folder = await tempDir()
  const userDataDir = join(folder, 'user-data')
  const source = join(folder, 'raw-footage.mov')
  const digest = await writeRandomFile(source, 12 * PART + 5)
  const parts = { method: 'PUT', path: '/raw-footage.mov', query: { partNumber: true } } as const
  // Some parts arrive; the connections of all others stand still until the app is killed.
  const stalled = proxy.rule({
    when: { ...parts, test: ({ url }) => Number(/partNumber=(\d+)/.exec(url)?.[1]) > 5 },
    fault: { kind: 'stall', at: 'request' },
  })
  const first = await openStudio(proxy, userDataDir)
  await dropFiles(first.page, [source])
  await reads(transferRow(first.page, 'raw-footage.mov'), /41\.9 (MB )?of 101 MB/)
  await first.kill()
  await rm(join(userDataDir, 'state'), { recursive: true })
  stalled.remove()
  const before = proxy.requests(parts).length

  const { page } = await openStudio(proxy, userDataDir)
  await dropFiles(page, [source])
  const sheet = page.getByRole('dialog', { name: 'Finish the earlier upload?' })
  await reads(sheet, '5 of 5 parts match this file')
  await reads(sheet, '5 of 13 parts on the server')
  await reads(sheet, 'saves 41.9 MB')
  await shot(page, 'earlier-upload-sheet')
  await page.keyboard.press('Escape')
  const row = transferRow(page, 'raw-footage.mov')
  await reads(row, 'An earlier upload of this file is unfinished.')
  await shot(page, 'earlier-upload-row')
  await row.getByRole('button', { name: 'Review…' }).click()
  await sheet.getByRole('button', { name: 'Finish upload' }).click()
  await sheet.waitFor({ state: 'detached' })
  await reads(row, 'verified')
  await shot(page, 'earlier-upload-finished')

  const sent = proxy.requests(parts).slice(before)
  expect(sent.map(({ url }) => Number(/partNumber=(\d+)/.exec(url)?.[1])).toSorted((a, b) => a - b)).toEqual([
    6, 7, 8, 9, 10, 11, 12, 13,
  ])
  expect(proxy.requests({ method: 'POST', query: { uploads: true } })).toHaveLength(1)
  const back = await fetch(`${proxy.endpoint}/demo/raw-footage.mov`)
  expect(sha256(Buffer.from(await back.arrayBuffer()))).toBe(digest)
})

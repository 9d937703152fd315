import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ElectronApplication, Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import { beginUpload } from '../../support/tools/begin-upload.ts'
import { openStudio, reads, shot, transferRow } from '../../support/window/desk-window.ts'
import { createDownloadDesk } from '../../support/window/download-desk.ts'
import { sha256 } from '../../support/worlds/download-fixture.ts'
import { dropFiles } from '../../support/window/drop-files.ts'
import { writeRandomFile } from '../../support/tools/random-file.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

const PART = 8 * MIB
const TITLE = 'Finish the upload of this parts list?'

it('completes the upload of a dropped parts list', async () => {
  const { proxy } = await createDownloadDesk()
  const folder = await tempDir()
  const digest = await writeRandomFile(join(folder, 'footage.mov'), 2 * PART + 5)
  const bytes = await readFile(join(folder, 'footage.mov'))
  const parts = [0, 1, 2].map((index) => bytes.subarray(index * PART, (index + 1) * PART))
  const uploadId = await beginUpload(proxy, 'media/footage.mov', parts)
  const { page } = await openStudio(proxy, join(folder, 'user-data'))
  const list = join(folder, 'from-elsewhere.json')
  await writeFile(list, JSON.stringify({ uploadId, parts: await listed(proxy, 'media/footage.mov', uploadId) }))

  await dropFiles(page, [list])
  const sheet = page.getByRole('dialog', { name: TITLE })
  await reads(sheet, 'media/footage.mov')
  await reads(sheet, 'Studio (demo)')
  await reads(sheet, '✓ The server has all 3 parts as the list says.')
  await shot(page, 'parts-list-whole')
  await sheet.getByRole('button', { name: 'Complete' }).click()
  await sheet.waitFor({ state: 'detached' })
  await reads(transferRow(page, 'footage.mov'), 'verified')
  await shot(page, 'parts-list-completed')
  expect(sha256(await content(proxy, 'media/footage.mov'))).toBe(digest)
  expect(proxy.requests({ method: 'POST', query: { uploadId } })).toHaveLength(1)

  await dropFiles(page, [list])
  await reads(sheet, 'Studio has no unfinished upload that matches this list.')
  await shot(page, 'parts-list-gone')
})

it('fills in what a dropped parts list lacks, once it is the right file', async () => {
  const { proxy } = await createDownloadDesk()
  const folder = await tempDir()
  const source = join(folder, 'footage.mov')
  const digest = await writeRandomFile(source, 3 * PART + 5)
  const bytes = await readFile(source)
  const uploadId = await beginUpload(proxy, 'footage.mov', [bytes.subarray(0, PART), bytes.subarray(PART, 2 * PART)])
  const other = join(folder, 'other.mov')
  await writeRandomFile(other, 3 * PART + 5)
  const { app, page } = await openStudio(proxy, join(folder, 'user-data'))
  const list = join(folder, 'list.json')
  const [first, second] = await listed(proxy, 'footage.mov', uploadId)
  await writeFile(list, JSON.stringify({ uploadId, key: 'footage.mov', Parts: [first, second].slice(1) }))

  await dropFiles(page, [list])
  const sheet = page.getByRole('dialog', { name: TITLE })
  await reads(sheet, 'The list lacks part 1.')
  expect(await sheet.getByRole('button', { name: 'Complete' }).count()).toBe(0)
  await shot(page, 'parts-list-lacking')
  await choose(app, other)
  const fillIn = sheet.getByRole('button', { name: 'Choose the file and fill in…' })
  await fillIn.click()
  await reads(sheet.getByRole('alert'), 'No part of this upload is known to come from this file.')
  await choose(app, source)
  await fillIn.click()
  await sheet.waitFor({ state: 'detached' })
  await reads(transferRow(page, 'footage.mov'), 'verified')
  expect(sha256(await content(proxy, 'footage.mov'))).toBe(digest)
  expect(partsSent(proxy)).toEqual([1, 2, 3, 4])
})

it('says why a dropped parts list is of no use, and uploads any other JSON', async () => {
  const { proxy } = await createDownloadDesk()
  const folder = await tempDir()
  const uploadId = await beginUpload(proxy, 'scrap.bin', [Buffer.alloc(PART)])
  const { page } = await openStudio(proxy, join(folder, 'user-data'))
  const sheet = page.getByRole('dialog', { name: TITLE })
  const [part] = await listed(proxy, 'scrap.bin', uploadId)
  const drop = async (name: string, body: unknown, says: string): Promise<void> => {
    await writeFile(join(folder, name), JSON.stringify(body))
    await dropFiles(page, [join(folder, name)])
    await reads(sheet, says)
    await closed(sheet)
  }
  await drop(
    'unknown.json',
    { uploadId: 'x', parts: [part] },
    'Studio has no unfinished upload that matches this list.',
  )
  await drop('elsewhere.json', { uploadId, bucket: 'attic', parts: [part] }, 'The list is for the bucket attic.')
  await drop('odd.json', { uploadId, parts: [{ PartNumber: 1 }] }, 'Entry 1 of the parts list has no usable')
  await drop('twice.json', { uploadId, Parts: [part, part] }, 'The list names part 1 more than once.')
  await drop('nameless.json', { Parts: [part] }, 'The list doesn’t say which upload it belongs to.')
  const differing = [{ partNumber: 1, etag: 'a'.repeat(32) }]
  await drop(
    'differing.json',
    { uploadId, parts: differing },
    'What the server has of part 1 is not what the list says.',
  )

  await writeFile(join(folder, 'package.json'), '{"parts":"none"}')
  await dropFiles(page, [join(folder, 'package.json')])
  await reads(transferRow(page, 'package.json'), 'verified')
  expect(proxy.requests({ method: 'DELETE' })).toEqual([])
  expect(await listed(proxy, 'scrap.bin', uploadId)).toHaveLength(1)
})

async function closed(sheet: Locator): Promise<void> {
  await sheet.press('Escape')
  await sheet.waitFor({ state: 'detached' })
}

function choose(app: ElectronApplication, path: string): Promise<void> {
  return app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] })
  }, path)
}

interface Service {
  readonly endpoint: string
}

/** The parts of an upload, as the service lists them. */
async function listed({ endpoint }: Service, key: string, uploadId: string): Promise<readonly object[]> {
  const response = await fetch(`${endpoint}/demo/${key}?uploadId=${uploadId}`)
  return ((await response.json()) as { Parts: object[] }).Parts
}

async function content({ endpoint }: Service, key: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(`${endpoint}/demo/${key}`)).arrayBuffer())
}

function partsSent(proxy: Awaited<ReturnType<typeof createDownloadDesk>>['proxy']): readonly number[] {
  const sent = proxy.requests({ method: 'PUT', query: { partNumber: true } })
  return sent.map(({ url }) => Number(/partNumber=(\d+)/.exec(url)?.[1])).toSorted((a, b) => a - b)
}

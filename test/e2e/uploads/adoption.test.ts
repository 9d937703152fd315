import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import { openStudio, reads, shot, transferRow } from '../../support/window/desk-window.ts'
import { beginUpload } from '../../support/tools/begin-upload.ts'
import { createDownloadDesk } from '../../support/window/download-desk.ts'
import { sha256 } from '../../support/worlds/download-fixture.ts'
import { dropFiles } from '../../support/window/drop-files.ts'
import { writeRandomFile } from '../../support/tools/random-file.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

const PART = 8 * MIB
/** What the engine takes while it knows nothing of the line, where that leaves a short last part. */
const PLANNED_PART = 5 * MIB + (72 * MIB) / 1024
const LAST_PART = 13

it('finishes the upload of an app that was killed and lost its database', async () => {
  const { proxy } = await createDownloadDesk()
  const folder = await tempDir()
  const userDataDir = join(folder, 'user-data')
  const source = join(folder, 'raw-footage.mov')
  const digest = await writeRandomFile(source, 12 * PLANNED_PART + (416 * MIB) / 1024)
  const parts = { method: 'PUT', path: '/raw-footage.mov', query: { partNumber: true } } as const
  const numberOf = ({ url }: { readonly url: string }) => Number(/partNumber=(\d+)/.exec(url)?.[1])
  // Some parts arrive; the connections of all others stand still until the app is killed.
  const stalled = proxy.rule({
    when: { ...parts, test: (request) => numberOf(request) > 5 && numberOf(request) < LAST_PART },
    fault: { kind: 'stall', at: 'request' },
  })
  const first = await openStudio(proxy, userDataDir)
  await dropFiles(first.page, [source])
  await reads(transferRow(first.page, 'raw-footage.mov'), /27\.0 (MB )?of 64\.2 MB/)
  await first.kill()
  await rm(join(userDataDir, 'state'), { recursive: true })
  stalled.remove()
  const scrap = await beginUpload(proxy, 'raw-footage.mov', [(await readFile(source)).subarray(0, PART)])
  const before = proxy.requests(parts).length

  const { page } = await openStudio(proxy, userDataDir)
  await dropFiles(page, [source])
  const sheet = page.getByRole('dialog', { name: 'Finish the earlier upload?' })
  await reads(sheet, '6 of 6 parts match this file')
  await shot(page, 'earlier-upload-several')
  await sheet.getByRole('radio', { name: '1 of 1 part match' }).check({ force: true })
  await sheet.getByRole('button', { name: 'Discard old parts…' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard 1 part' }).click()
  await proxy.seen({ method: 'DELETE', query: { uploadId: scrap } })
  await reads(sheet, '6 of 13 parts on the server')
  await reads(sheet, 'saves 27.0 MB')
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
  expect(sent.map(numberOf).toSorted((a, b) => a - b)).toEqual([6, 7, 8, 9, 10, 11, 12])
  expect(proxy.requests({ method: 'POST', query: { uploads: true } })).toHaveLength(2)
  const back = await fetch(`${proxy.endpoint}/demo/raw-footage.mov`)
  expect(sha256(Buffer.from(await back.arrayBuffer()))).toBe(digest)
})

it('lists unfinished uploads, saves their parts, finishes one and discards another', async () => {
  const { proxy } = await createDownloadDesk()
  const folder = await tempDir()
  const source = join(folder, 'footage.mov')
  const digest = await writeRandomFile(source, 3 * PART + 5)
  const bytes = await readFile(source)
  const kept = await beginUpload(proxy, 'media/footage.mov', [bytes.subarray(0, PART), bytes.subarray(PART, 2 * PART)])
  await beginUpload(proxy, 'media/scrap.bin', [bytes.subarray(0, PART)])
  const { app, page } = await openStudio(proxy, join(folder, 'user-data'))
  const choose = (path: string) =>
    app.evaluate(({ dialog }, chosen) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] })
      dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: chosen })
    }, path)

  await page.getByRole('button', { name: 'Actions for Studio' }).click()
  await page.getByRole('menuitem', { name: 'Unfinished uploads…' }).click()
  const sheet = page.getByRole('dialog', { name: 'Unfinished uploads in Studio' })
  const grid = sheet.getByRole('grid', { name: 'Unfinished uploads' })
  const footage = grid.getByRole('row', { name: 'media/footage.mov' })
  const scrap = grid.getByRole('row', { name: 'media/scrap.bin' })
  await reads(footage, '2 parts · 16.8 MB')
  await reads(scrap, '1 part · 8.39 MB')
  await sheet.getByText('2 unfinished uploads').waitFor()
  await shot(page, 'unfinished-uploads')

  await choose(join(folder, 'saved.json'))
  await footage.getByRole('button', { name: 'Actions for media/footage.mov' }).click()
  await page.getByRole('menuitem', { name: 'Save parts list…' }).click()
  await page.getByText('Parts list of media/footage.mov saved.').waitFor()
  const saved = JSON.parse(await readFile(join(folder, 'saved.json'), 'utf8')) as object
  expect(saved).toMatchObject({ uploadId: kept, key: 'media/footage.mov', bucket: 'demo', parts: { length: 2 } })

  const refusing = proxy.rule({ when: { method: 'DELETE' }, fault: { kind: 'response', status: 403 } })
  const discard = async () => {
    await scrap.getByRole('button', { name: 'Actions for media/scrap.bin' }).click()
    await page.getByRole('menuitem', { name: 'Discard…' }).click()
  }
  await discard()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard 8.39 MB' }).click()
  // Behind the sheet nobody would read it.
  const refused = sheet.getByRole('alert').filter({ hasText: 'The unfinished upload of media/scrap.bin couldn’t be' })
  await refused.waitFor()
  await shot(page, 'unfinished-refused')
  await refused.getByRole('button', { name: 'Dismiss' }).click()
  refusing.remove()
  await sheet.getByText('2 unfinished uploads').waitFor()
  await discard()
  const question = page.getByRole('alertdialog', { name: 'Discard the unfinished upload of media/scrap.bin?' })
  await reads(question, 'The server deletes 1 part, 8.39 MB.')
  await shot(page, 'unfinished-discard')
  await question.getByRole('button', { name: 'Discard 8.39 MB' }).click()
  await sheet.getByText('1 unfinished upload', { exact: true }).waitFor()
  await proxy.seen({ method: 'DELETE', path: '/media/scrap.bin' })

  const other = join(folder, 'other.mov')
  await writeRandomFile(other, 3 * PART + 5)
  await choose(other)
  await footage.getByRole('button', { name: 'Finish…' }).click()
  await sheet
    .getByRole('alert')
    .filter({ hasText: 'No part of this upload is known to come from this file.' })
    .waitFor()
  await shot(page, 'unfinished-other-file')
  await choose(source)
  // By keyboard: the first row, its button, and back.
  await grid.press('Home')
  await footage.getByRole('button', { name: 'Finish…' }).press('Enter')
  await sheet.waitFor({ state: 'detached' })
  await reads(transferRow(page, 'footage.mov'), 'verified')
  const back = await fetch(`${proxy.endpoint}/demo/media/footage.mov`)
  expect(sha256(Buffer.from(await back.arrayBuffer()))).toBe(digest)
  expect(proxy.requests({ method: 'POST', query: { uploads: true } })).toHaveLength(2)
})

it('takes an upload that goes on by itself for no unfinished one, until it is paused', async () => {
  const { proxy } = await createDownloadDesk()
  const folder = await tempDir()
  const source = join(folder, 'footage.mov')
  await writeRandomFile(source, 3 * PART + 5)
  await beginUpload(proxy, 'scrap.bin', [Buffer.alloc(5)])
  const stalled = proxy.rule({
    when: { method: 'PUT', query: { partNumber: true } },
    fault: { kind: 'stall', at: 'request' },
  })
  const { page } = await openStudio(proxy, join(folder, 'user-data'))
  await dropFiles(page, [source])
  await proxy.seen({ method: 'PUT', path: '/footage.mov', query: { partNumber: true } })
  await page.getByRole('button', { name: 'Studio', exact: true }).click()
  await page.getByRole('button', { name: '1 unfinished upload' }).click()
  const sheet = page.getByRole('dialog', { name: 'Unfinished uploads in Studio' })
  const footage = sheet.getByRole('row', { name: 'footage.mov' })
  await reads(footage, 'Under way')
  await sheet.getByText('1 unfinished upload · 1 under way').waitFor()
  await shot(page, 'unfinished-under-way')
  await page.evaluate(() => window.sluice.invoke('transfers:pause', { ids: 'all' }))
  await footage.getByRole('button', { name: 'Finish' }).waitFor()
  stalled.remove()
  await footage.getByRole('button', { name: 'Finish' }).click()
  await sheet.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: '1 unfinished upload' }).waitFor()
})

it('keeps a list of several pages as it is, with the focus in it, until all of it is read anew', async () => {
  const { proxy } = await createDownloadDesk()
  const folder = await tempDir()
  const source = join(folder, 'footage.mov')
  await writeRandomFile(source, 3 * PART + 5)
  for (let number = 10; number < 30; number += 1) await beginUpload(proxy, `another-${number}.bin`, [])
  proxy.rule({ when: { method: 'PUT', query: { partNumber: true } }, fault: { kind: 'stall', at: 'request' } })
  const firstPage = await (await fetch(`${proxy.endpoint}/demo/?uploads&max-uploads=10`)).text()
  const lists = { method: 'GET', query: { uploads: true, prefix: false } }
  const page1 = { ...lists, query: { ...lists.query, 'key-marker': false } }
  const page2 = { ...lists, query: { ...lists.query, 'key-marker': true } }
  proxy.rule({
    when: page1,
    fault: { kind: 'response', status: 200, headers: { 'x-amz-request-id': 'r' }, body: firstPage },
  })
  const { page } = await openStudio(proxy, join(folder, 'user-data'))
  await dropFiles(page, [source])
  await proxy.seen({ method: 'PUT', path: '/footage.mov', query: { partNumber: true } })
  await page.getByRole('button', { name: 'Actions for Studio' }).click()
  await page.getByRole('menuitem', { name: 'Unfinished uploads…' }).click()
  const sheet = page.getByRole('dialog', { name: 'Unfinished uploads in Studio' })
  const grid = sheet.getByRole('grid', { name: 'Unfinished uploads' })
  const footage = sheet.getByRole('row', { name: 'footage.mov' })
  await sheet.getByText('20 unfinished uploads · 1 under way').waitFor()
  await sheet.getByRole('row', { name: 'another-10.bin' }).click()
  await page.keyboard.press('ControlOrMeta+End')
  await reads(footage, 'Under way')
  const view = async () => ({
    focused: await page.evaluate(() => document.activeElement?.closest('[role="row"]')?.textContent ?? ''),
    scrolled: await grid.evaluate((element) => element.scrollTop),
  })
  await expect.poll(view).toMatchObject({ focused: expect.stringMatching('footage.mov') as string })
  // The list glides to its end.
  await expect
    .poll(() => grid.evaluate((list) => list.scrollHeight - list.clientHeight - list.scrollTop))
    .toBeLessThan(1)
  const before = await view()
  expect(before.scrolled).toBeGreaterThan(0)

  let goOn = (): unknown => undefined
  const held = new Promise((resolve) => (goOn = () => resolve(null)))
  const asked = proxy.requests(page2).length
  proxy.rule({ when: page2, fault: { kind: 'stall', at: 'request', until: held } })
  await beginUpload(proxy, 'late.bin', [])
  await page.evaluate(() => window.sluice.invoke('transfers:pause', { ids: 'all' }))
  await proxy.seen(page2, asked + 1)
  await sheet.getByText('20 unfinished uploads, still listing… · 1 under way').waitFor()
  await reads(footage, 'Under way')
  expect(await view()).toEqual(before)
  goOn()
  await sheet.getByText('22 unfinished uploads', { exact: true }).waitFor()
  await footage.getByRole('button', { name: 'Finish' }).waitFor()
  const after = await view()
  expect(after.focused).toMatch('footage.mov')
  expect(after.scrolled).toBe(before.scrolled)
})

it('asks anew what is on the server when the list is refreshed', async () => {
  const { proxy } = await createDownloadDesk()
  const uploadId = await beginUpload(proxy, 'theirs.bin', [])
  const { page } = await openStudio(proxy, join(await tempDir(), 'user-data'))
  await page.getByRole('button', { name: 'Actions for Studio' }).click()
  await page.getByRole('menuitem', { name: 'Unfinished uploads…' }).click()
  const sheet = page.getByRole('dialog', { name: 'Unfinished uploads in Studio' })
  const theirs = sheet.getByRole('row', { name: 'theirs.bin' })
  await reads(theirs, '0 parts')
  const part = `${proxy.endpoint}/demo/theirs.bin?partNumber=1&uploadId=${uploadId}`
  await fetch(part, { method: 'PUT', body: new Uint8Array(PART) })
  await sheet.getByRole('button', { name: 'Refresh' }).click()
  await reads(theirs, '1 part ')
})

it('finishes the earlier uploads of several dropped files with one answer', async () => {
  const { proxy } = await createDownloadDesk()
  const folder = await tempDir()
  const names = ['one.mov', 'two.mov', 'three.mov', 'other.mov']
  const paths = names.map((name) => join(folder, name))
  for (const [index, name] of names.entries()) {
    await writeRandomFile(paths[index] ?? '', 2 * PART + 5)
    const bytes = await readFile(paths[index] ?? '')
    const second = bytes.subarray(PART, 2 * PART)
    await beginUpload(proxy, name, [
      bytes.subarray(0, PART),
      name === 'other.mov' ? Buffer.from(second).reverse() : second,
    ])
  }
  const before = proxy.requests({ method: 'PUT' }).length
  const { page } = await openStudio(proxy, join(folder, 'user-data'))
  await dropFiles(page, paths)
  const sheet = page.getByRole('dialog', { name: 'Finish the earlier upload?' })
  await reads(sheet, 'Same for 3 other files with an earlier upload')
  // Which one is asked about first is chance.
  await page.keyboard.press('Escape')
  await transferRow(page, 'one.mov').getByRole('button', { name: 'Review…' }).click()
  await reads(sheet, '2 of 2 parts match this file')
  await sheet.getByRole('checkbox').check({ force: true })
  await shot(page, 'earlier-upload-same-for-all')
  await sheet.getByRole('button', { name: 'Finish upload' }).click()
  // Said at once, and for some seconds.
  await page
    .getByText('Continuing 2 other uploads. 1 other upload couldn’t be matched. Review it in the list.')
    .waitFor()
  for (const name of ['one.mov', 'two.mov', 'three.mov']) await reads(transferRow(page, name), 'verified')
  // What differs is for a person to look at, and nobody is asked again about the others.
  await reads(transferRow(page, 'other.mov'), 'Review…')
  expect(await sheet.count()).toBe(0)
  expect(proxy.requests({ method: 'PUT' }).length - before).toBe(3)
  expect(proxy.requests({ method: 'DELETE' })).toEqual([])
})

it('stops comparing a chosen file when asked to, and nothing is discarded', async () => {
  const { proxy } = await createDownloadDesk()
  const folder = await tempDir()
  const source = join(folder, 'footage.mov')
  await writeRandomFile(source, 3 * PART + 5)
  const bytes = await readFile(source)
  await beginUpload(proxy, 'footage.mov', [bytes.subarray(0, PART)])
  const { app, page } = await openStudio(proxy, join(folder, 'user-data'))
  await app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] })
  }, source)
  await page.getByRole('button', { name: 'Actions for Studio' }).click()
  await page.getByRole('menuitem', { name: 'Unfinished uploads…' }).click()
  const sheet = page.getByRole('dialog', { name: 'Unfinished uploads in Studio' })
  const footage = sheet.getByRole('row', { name: 'footage.mov' })
  await reads(footage, '1 part')
  const stalled = proxy.rule({
    when: { method: 'GET', query: { uploadId: true } },
    fault: { kind: 'stall', at: 'request' },
  })
  await footage.getByRole('button', { name: 'Finish…' }).click()
  await sheet.getByRole('button', { name: 'Stop comparing' }).click()
  await sheet.getByRole('button', { name: 'Refresh' }).waitFor()
  stalled.remove()
  await sheet.getByRole('button', { name: 'Close' }).click()
  expect(
    await page.getByRole('treegrid', { name: 'Transfers' }).getByRole('row').filter({ hasText: 'footage.mov' }).count(),
  ).toBe(0)
  expect(proxy.requests({ method: 'DELETE' })).toEqual([])
  // And it can be done again.
  await page.getByRole('button', { name: 'Actions for Studio' }).click()
  await page.getByRole('menuitem', { name: 'Unfinished uploads…' }).click()
  await footage.getByRole('button', { name: 'Finish…' }).click()
  await sheet.waitFor({ state: 'detached' })
  await reads(transferRow(page, 'footage.mov'), 'verified')
})

import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, it as test, type TestContext } from 'vitest'
import { createBucket, listBuckets } from '../../../electron/stores/index.ts'
import { MIB } from '../../../shared/limits.ts'
import { startCeph } from '../../s3/support/ceph.ts'
import { bodyOf, contentOf, signal } from '../../stores/support/open-store.ts'
import { namesIn, pictures, row } from '../../support/window/browser-world.ts'
import { openCeph, type CephWorld } from '../../support/window/ceph-world.ts'
import { transferRow, reads } from '../../support/window/desk-window.ts'
import { dropFiles } from '../../support/window/drop-files.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

const HOUR = 3_600_000

let ceph: Awaited<ReturnType<typeof startCeph>> = null

beforeAll(async () => {
  ceph = await startCeph()
}, 600_000)
afterAll(() => ceph?.stop())

/** A test that is skipped where no Ceph can be had. */
function it(title: string, run: (world: CephWorld, grid: Locator) => Promise<void>): void {
  test(title, async ({ skip }: TestContext) => {
    if (ceph === null) return skip('There is no Ceph here.')
    const world = await openCeph(ceph.access)
    const grid = world.page.getByRole('grid', { name: 'Files' })
    await row(grid, `${world.bucket}, bucket`).dblclick()
    await run(world, grid)
  })
}

it('uploads to a folder, describes what is there and makes links, on Ceph', async (world, grid) => {
  const { app, page, bucket, store, put, keysUnder } = world
  const sheet = page.getByRole('dialog')
  const copied = () => app.evaluate(({ clipboard }) => clipboard.readText())
  await page.getByText('This bucket is empty · drop files here to upload them').waitFor()
  await put('media/old.txt', 'old')
  await put('read me.md', 'read me')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect.poll(() => namesIn(grid)).toEqual(['media, folder', 'read me.md'])

  const source = join(await tempDir(), 'dropped.bin')
  const bytes = randomBytes(12 * MIB)
  await writeFile(source, bytes)
  const box = await row(grid, 'media, folder').boundingBox()
  await dropFiles(page, [source], { x: (box?.x ?? 0) + 100, y: (box?.y ?? 0) + 16 })
  await expect.poll(() => keysUnder('media/')).toEqual(['media/dropped.bin', 'media/old.txt'])
  await row(grid, 'media, folder').dblclick()
  await expect.poll(() => namesIn(grid)).toEqual(['dropped.bin', 'old.txt'])
  await pictures(world, 'browser-ceph')

  const body = bodyOf(Buffer.from('described'))
  const metadata = { author: 'somebody' }
  await store.putObject({ key: 'media/described.txt', body, contentType: 'text/x-odd', metadata, signal })
  await page.getByRole('button', { name: 'Refresh' }).click()
  await row(grid, 'described.txt').press('Alt+Enter')
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  for (const fact of ['9 bytes', 'text/x-odd', 'Metadata author', 'somebody', 'described']) {
    await inspector.getByText(fact, { exact: true }).waitFor()
  }
  const { etag } = await store.headObject({ key: 'media/described.txt', signal })
  await inspector.getByRole('button', { name: 'Copy ETag' }).click()
  await expect.poll(copied).toBe(etag)
  await inspector.getByRole('button', { name: 'Copy Request ID' }).click()
  await expect.poll(copied).toMatch(/^tx[0-9a-f-]+-default$/)
  await pictures(world, 'browser-ceph-properties')

  await row(grid, 'dropped.bin').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Copy link…' }).click()
  await sheet.getByText('1 hour').click()
  await sheet.getByRole('button', { name: 'Copy link' }).click()
  await sheet.waitFor({ state: 'detached' })
  const link = await copied()
  const response = await fetch(link)
  expect(response.status).toBe(200)
  expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
  expect(new URL(link).searchParams.get('X-Amz-Expires')).toBe('3600')
  const tampered = [
    link.replace('dropped.bin', 'old.txt'),
    link.replace('X-Amz-Expires=3600', 'X-Amz-Expires=7200'),
    link.replace(/X-Amz-Signature=./, (first) => first.slice(0, -1) + (first.endsWith('0') ? '1' : '0')),
    link.replace(`/${bucket}/`, '/other/'),
  ]
  for (const other of tampered) expect((await fetch(other)).status).toBeGreaterThanOrEqual(403)
  expect((await fetch(link, { method: 'DELETE' })).status).toBe(403)
  expect(await keysUnder('media/')).toContain('media/dropped.bin')

  // Not yet valid, or expired, were it signed for what the computer takes for now.
  for (const offMs of [HOUR, -HOUR, 300_000]) {
    const wrong = world.storeAtClock(() => Date.now() + offMs)
    const own = (await wrong.linkTo?.({ key: 'media/old.txt', expiresSeconds: 200, signal })) ?? ''
    expect(await (await fetch(own)).text()).toBe('old')
  }

  await page.getByRole('button', { name: 'New folder…' }).click()
  await sheet.getByLabel('Name').fill('2026')
  await sheet.getByRole('button', { name: 'Create folder' }).click()
  await row(grid, '2026, folder').waitFor()
  expect(await keysUnder('media/2026/')).toEqual(['media/2026/'])
})

it('creates buckets, whatever region the place is set to, on Ceph', async (world, grid) => {
  const { page, bucket } = world
  const sheet = page.getByRole('dialog', { name: 'New bucket' })
  await page.getByText('This bucket is empty').waitFor()
  await grid.press('Backspace')
  await row(grid, `${bucket}, bucket`).waitFor()
  const name = `${bucket}-new`
  await page.getByRole('button', { name: 'New bucket…' }).click()
  await sheet.getByLabel('Name').fill(name)
  await sheet.getByRole('button', { name: 'Create bucket' }).click()
  await grid.getByRole('row', { name: `${name}, bucket`, selected: true }).waitFor()

  const elsewhere = world.connection({ bucket: '', region: 'eu-west-1' })
  await createBucket(elsewhere, `${bucket}-far`, signal)
  expect((await listBuckets(elsewhere, signal)).map((each) => each.name)).toContain(`${bucket}-far`)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await row(grid, `${bucket}-far, bucket`).dblclick()
  await page.getByText('This bucket is empty').waitFor()
})

const ODD = ['100 %41%.txt', 'a+b & c.txt', 'hash#query?.txt', 'quote\'"<x>.txt', 'ünï 世界 🎬.txt', '/lead.txt']

it('opens, links, downloads and deletes objects whatever they are named, on Ceph', async (world, grid) => {
  const { page, app, put, keysUnder, downloads } = world
  const sheet = page.getByRole('dialog')
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  for (const name of ODD) await put(`odd ones+/${name}`, name)
  await put('/at the top.txt', 'top')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect.poll(() => namesIn(grid)).toEqual(['/, folder', 'odd ones+, folder'])
  await row(grid, '/, folder').dblclick()
  await expect.poll(() => namesIn(grid)).toEqual(['at the top.txt'])
  await grid.press('Backspace')

  await row(grid, 'odd ones+, folder').click()
  await page.keyboard.press('Enter')
  const files = ODD.slice(0, -1)
  await expect.poll(() => namesIn(grid)).toEqual(['/, folder', ...files])
  await pictures(world, 'browser-ceph-names')
  for (const name of files) {
    await row(grid, name).press('Alt+Enter')
    await inspector.getByText(`odd ones+/${name}`, { exact: true }).waitFor()
    await inspector.getByRole('button', { name: 'Copy ETag' }).waitFor()
    await inspector.getByRole('button', { name: 'Copy link…' }).click()
    await sheet.getByRole('button', { name: 'Copy link' }).click()
    await sheet.waitFor({ state: 'detached' })
    const response = await fetch(await app.evaluate(({ clipboard }) => clipboard.readText()))
    expect([response.status, await response.text()]).toEqual([200, name])
  }

  // Names of files that are dropped become keys as they are.
  const source = join(await tempDir(), 'new %2B+ ü.txt')
  await writeFile(source, 'new')
  await dropFiles(page, [source])
  await row(grid, 'new %2B+ ü.txt').waitFor()
  expect(await keysUnder('odd ones+/new')).toEqual(['odd ones+/new %2B+ ü.txt'])

  await grid.press('Backspace')
  await row(grid, '/, folder').click()
  await row(grid, 'odd ones+, folder').click({ modifiers: ['ControlOrMeta'] })
  await page.getByRole('toolbar', { name: 'Actions' }).getByRole('button', { name: 'Download…' }).click()
  await sheet.getByRole('button', { name: 'Download 8 files' }).click()
  await sheet.waitFor({ state: 'detached' })
  const saved = (path: string) => readFile(join(downloads, path), 'utf8').catch(() => null)
  await expect.poll(() => saved('_/at the top.txt')).toBe('top')
  for (const name of ['100 %41%.txt', 'a+b & c.txt', 'ünï 世界 🎬.txt', '_/lead.txt']) {
    await expect.poll(() => saved(`odd ones+/${name}`)).toBe(name === '_/lead.txt' ? '/lead.txt' : name)
  }

  await page.getByRole('button', { name: 'Delete…' }).click()
  const question = page.getByRole('alertdialog', { name: 'Delete 2 items?' })
  await question.getByText('8 files').waitFor()
  await question.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('8 files deleted.').waitFor()
  expect(await keysUnder('')).toEqual([])
})

it('renames a folder whatever its files are named, and moves it, on Ceph', async (world, grid) => {
  const { page, put, store, keysUnder } = world
  const sheet = page.getByRole('dialog')
  for (const name of ODD) await put(`odd ones+/${name}`, name)
  await put('elsewhere/stays.txt', 'stays')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await row(grid, 'odd ones+, folder').press('F2')
  await sheet.getByText('6 files').waitFor()
  await sheet.getByLabel('Name').fill('ünï & 100 %')
  await page.keyboard.press('Enter')
  await page.getByText('Renamed to ünï & 100 %.').waitFor()
  expect(await keysUnder('odd')).toEqual([])
  expect((await keysUnder('ünï & 100 %/')).toSorted()).toEqual(ODD.map((name) => `ünï & 100 %/${name}`).toSorted())

  await row(grid, 'ünï & 100 %, folder').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Move to…' }).click()
  await sheet.getByText('6 files').waitFor()
  await sheet.getByLabel('Folder').fill('elsewhere')
  await sheet.getByRole('button', { name: 'Move' }).click()
  await page.getByText('6 files moved to elsewhere/.').waitFor()
  await expect.poll(() => namesIn(grid)).toEqual(['elsewhere, folder'])
  for (const name of ODD) {
    const { body } = await contentOf(await store.getObject({ key: `elsewhere/ünï & 100 %/${name}`, signal }))
    expect(body.toString()).toBe(name)
  }
  expect(await keysUnder('')).toHaveLength(ODD.length + 1)
})

it('goes on with a folder of more than a thousand objects on Ceph when the line breaks', async (world, grid) => {
  const { page, put, proxy, keysUnder } = world
  const names = Array.from({ length: 1100 }, (_, index) => `many/deep/${String(index)}`).values()
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const name of names) await put(name, 'x')
    }),
  )
  await put('many/deeper/still/here', 'x')
  await put('many.txt', 'stays')
  await page.getByRole('button', { name: 'Refresh' }).click()
  const broken = proxy.rule({
    when: { method: 'GET', query: { marker: true } },
    fault: { kind: 'reset', at: 'response' },
  })
  await row(grid, 'many, folder').press('Enter')
  await row(grid, 'deep, folder').press('Enter')
  const part = page
    .getByRole('alert')
    .filter({ hasText: 'Only part of the list could be read: Ceph isn’t responding.' })
  await part.waitFor()
  await page.getByText('1,000 files', { exact: true }).waitFor()
  broken.remove()
  await part.getByRole('button', { name: 'Retry' }).click()
  await page.getByText('1,100 files', { exact: true }).waitFor()

  await grid.press('Backspace')
  await grid.press('Backspace')
  await row(grid, 'many, folder').click()
  await page.keyboard.press('Delete')
  const question = page.getByRole('alertdialog', { name: 'Delete many?' })
  await question.getByText('1,101 files').waitFor()
  // Ceph deletes them and its answer is lost: they are asked for again, which is no error.
  const lost = proxy.rule({
    when: { method: 'POST', query: { delete: true } },
    times: 1,
    fault: { kind: 'drop-response' },
  })
  await question.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('1,101 files deleted.').waitFor()
  expect(lost.hits).toBe(1)
  expect(proxy.requests({ method: 'DELETE' })).toEqual([])
  await expect.poll(() => namesIn(grid)).toEqual(['many.txt'])
  expect(await keysUnder('')).toEqual(['many.txt'])
})

it('finishes one unfinished upload and discards another, on Ceph', async (world, grid) => {
  const { app, page, store, keysUnder } = world
  const source = join(await tempDir(), 'footage.mov')
  const bytes = randomBytes(16 * MIB + 5)
  await writeFile(source, bytes)
  await begin('media/footage.mov')
  await begin('scrap ü+.bin')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByRole('button', { name: '2 unfinished uploads' }).click()
  const sheet = page.getByRole('dialog', { name: 'Unfinished uploads in Ceph' })
  const scrap = sheet.getByRole('row', { name: 'scrap ü+.bin' })
  await reads(scrap, '1 part · 8.39 MB')
  await pictures(world, 'browser-ceph-unfinished')
  await scrap.getByRole('button', { name: 'Actions for scrap ü+.bin' }).click()
  await page.getByRole('menuitem', { name: 'Discard…' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard 8.39 MB' }).click()
  await sheet.getByText('1 unfinished upload', { exact: true }).waitFor()

  await app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] })
  }, source)
  await sheet.getByRole('row', { name: 'media/footage.mov' }).getByRole('button', { name: 'Finish…' }).click()
  await sheet.waitFor({ state: 'detached' })
  await row(grid, 'media, folder').waitFor()
  expect(await keysUnder('')).toEqual(['media/footage.mov'])
  await expect.poll(() => page.getByRole('button', { name: /unfinished upload/ }).count()).toBe(0)
  expect((await store.listMultipartUploads({ signal })).uploads).toEqual([])
  await page.getByRole('button', { name: /^All/ }).click()
  await reads(transferRow(page, 'footage.mov'), 'verified')

  async function begin(key: string): Promise<void> {
    const { uploadId } = await store.createMultipartUpload({ key, signal })
    await store.uploadPart({ key, uploadId, partNumber: 1, body: bodyOf(bytes.subarray(0, 8 * MIB)), signal })
  }
})

import { EventEmitter, once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { namesIn, openStudio, openWorld, pictures, row, type BrowserWorld } from '../../support/window/browser-world.ts'
import { dropFiles } from '../../support/window/drop-files.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { startListingServer } from '../../support/servers/listing-server.ts'
import { signal } from '../../stores/support/open-store.ts'

const FORBIDDEN = { kind: 'response', status: 403, body: '{"Error":{"Code":"AccessDenied"}}' } as const
const objectsIn = ({ page }: BrowserWorld) => page.getByRole('grid', { name: 'Files' })

it('opens a bucket by its name where the key may not list buckets', async () => {
  const world = await openWorld({ bucket: '' })
  const { page, put, proxy } = world
  const grid = objectsIn(world)
  await put('film.mov', 'the film')
  proxy.rule({ when: { path: /^\/$/ }, fault: FORBIDDEN })
  await openStudio(page)
  await page.getByRole('alert').filter({ hasText: 'The key for Studio isn’t allowed to list its buckets.' }).waitFor()
  await pictures(world, 'browser-no-buckets')
  await page.getByLabel('Open a bucket by its name').fill('media')
  await page.keyboard.press('Enter')
  await expect.poll(() => namesIn(grid)).toEqual(['film.mov'])
  await page.getByText('1 file', { exact: true }).waitFor()

  await row(grid, 'film.mov').press('Backspace')
  await page.getByLabel('Open a bucket by its name').fill('nowhere')
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await page.getByRole('alert').filter({ hasText: 'There is no bucket named “nowhere”.' }).waitFor()
})

it('takes files for a bucket that the key may not list', async () => {
  const world = await openWorld()
  const { page, proxy, store } = world
  proxy.rule({ when: { path: /^\/media\/?$/ }, fault: FORBIDDEN })
  await openStudio(page)
  await page.getByRole('alert').filter({ hasText: 'Studio doesn’t allow this with the current key.' }).waitFor()
  await page.getByText(/^If this key can upload, you can still drop files here\./).waitFor()
  await pictures(world, 'browser-denied')
  const path = join(await tempDir(), 'report.pdf')
  await writeFile(path, 'the report')
  await dropFiles(page, [path])
  await expect.poll(() => store.headObject({ key: 'report.pdf', signal }).catch(() => null)).not.toBeNull()
})

it('shows what came before a listing broke off, and goes on where it did', async () => {
  const world = await openWorld({ endpoint: await startListingServer(3000) })
  const { page, proxy } = world
  const third = { query: { marker: 'object 001999.bin' } }
  const broken = proxy.rule({ when: third, fault: { kind: 'reset', at: 'request' } })
  await openStudio(page)
  const alert = page
    .getByRole('alert')
    .filter({ hasText: 'Only part of the list could be read: Studio isn’t responding.' })
  await alert.waitFor()
  await page.getByText('2,000 files', { exact: true }).waitFor()
  await row(objectsIn(world), 'object 000000.bin').waitFor()
  await pictures(world, 'browser-part')
  broken.remove()
  const firsts = { path: /^\/media\/?$/, query: { marker: false, uploads: false } }
  expect(proxy.requests(firsts)).toHaveLength(1)
  await alert.getByRole('button', { name: 'Retry' }).click()
  await page.getByText('3,000 files', { exact: true }).waitFor()
  expect(await alert.count()).toBe(0)
  expect(proxy.requests(firsts)).toHaveLength(1)
  expect(proxy.requests({ query: { marker: 'object 000999.bin' } })).toHaveLength(1)

  // A refresh that fails leaves what there is, and says of when it is.
  const down = proxy.rule({ fault: { kind: 'reset', at: 'request' } })
  await page.getByRole('button', { name: 'Refresh' }).click()
  const old = page.getByRole('alert').filter({ hasText: 'Studio isn’t responding. Showing the last known list.' })
  await old.waitFor()
  await row(objectsIn(world), 'object 000000.bin').waitFor()
  down.remove()
  await old.getByRole('button', { name: 'Retry' }).click()
  await expect.poll(() => old.count()).toBe(0)
  expect(proxy.requests(firsts).length).toBeGreaterThan(2)
  await page.getByText('3,000 files', { exact: true }).waitFor()
})

it('stops a deletion half way, says how far it came, and does the rest', async () => {
  const world = await openWorld()
  const { page, put, proxy, store } = world
  const left = async () => (await store.listObjects({ prefix: 'many/', signal })).objects.length
  for (let index = 0; index < 120; index += 1) await put(`many/${String(index)}.txt`, 'x')
  await openStudio(page)
  await row(objectsIn(world), 'many, folder').click()
  await page.keyboard.press('Delete')
  const sheet = page.getByRole('alertdialog', { name: 'Delete many?' })
  await sheet.getByText('120 files, 120 bytes. This can’t be undone.').waitFor()

  const gate = new EventEmitter()
  const deletes = { method: 'DELETE' }
  const isLate = () => proxy.requests(deletes).length > 40
  const stalled = proxy.rule({
    when: { ...deletes, test: isLate },
    fault: { kind: 'stall', at: 'request', until: once(gate, 'open') },
  })
  await sheet.getByRole('button', { name: 'Delete' }).click()
  await proxy.seen(deletes, 41)
  await sheet.getByRole('button', { name: 'Stop' }).click()
  await sheet.getByText('0 of 120 files deleted, stopping…').waitFor()
  gate.emit('open')
  stalled.remove()
  await sheet.getByText(/^4\d of 120 files deleted\. The others are still there\.$/).waitFor()
  const told = Number((await sheet.getByRole('status').textContent())?.split(' ')[0])
  expect(await left()).toBe(120 - told)
  await pictures(world, 'browser-delete-stopped')

  const locked = proxy.rule({ when: { ...deletes, path: '/9.txt' }, fault: FORBIDDEN })
  await sheet.getByRole('button', { name: 'Delete the rest' }).click()
  await sheet.getByRole('alert').filter({ hasText: 'Studio doesn’t allow this with the current key.' }).waitFor()
  const status = await sheet.getByRole('status').textContent()
  expect(status).toBe(`${String(120 - (await left()))} of 120 files deleted. The others are still there.`)
  locked.remove()
  await sheet.getByRole('button', { name: 'Retry' }).click()
  await page.getByText('120 files deleted.').waitFor()
  expect(await left()).toBe(0)
  await page.getByText('This bucket is empty · drop files here to upload them').waitFor()
})

it('gives up a page that is on its way when its folder is left', async () => {
  const world = await openWorld()
  const { page, put, proxy } = world
  const grid = objectsIn(world)
  await put('slow/hidden.txt', 'x')
  await put('other/shown.txt', 'x')
  const slowList = { query: { prefix: 'slow/', uploads: false } }
  const stalled = proxy.rule({ when: slowList, fault: { kind: 'stall', at: 'response' } })
  await openStudio(page)
  await row(grid, 'slow, folder').dblclick()
  await proxy.seen(slowList)
  await page.getByText('Listing…').waitFor()
  await put('meanwhile.txt', 'x')
  await grid.press('Backspace')
  // What was there is asked for again.
  await row(grid, 'meanwhile.txt').waitFor()
  // A stall only ends when the client closes its connection.
  await expect.poll(() => proxy.requests(slowList).every(({ endedAtMs }) => endedAtMs !== null)).toBe(true)

  await row(grid, 'slow, folder').dblclick()
  await proxy.seen(slowList, 2)
  await page.getByRole('navigation', { name: 'Folder' }).getByRole('button', { name: 'Studio' }).click()
  await row(grid, 'other, folder').dblclick()
  await expect.poll(() => namesIn(grid)).toEqual(['shown.txt'])
  stalled.remove()
  await proxy.settled()
  expect(await namesIn(grid)).toEqual(['shown.txt'])
})

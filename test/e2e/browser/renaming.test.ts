import { expect, it } from 'vitest'
import { namesIn, openCopyingWorld, openStudio, openWorld, pictures, row } from '../../support/window/browser-world.ts'

it('renames a file by F2, over nothing that is there', async () => {
  const world = await openCopyingWorld()
  const { page, put, keys, grid, sheet, proxy } = world
  for (const key of ['media/film.mov', 'media/taken.mov', 'media/z.txt']) await put(key)
  await openStudio(page)
  await row(grid, 'media, folder').dblclick()
  await row(grid, 'film.mov').click()
  await page.keyboard.press('F2')
  await page.getByRole('dialog', { name: 'Rename film.mov' }).waitFor()
  const confirm = sheet.getByRole('button', { name: 'Rename' })
  expect(await confirm.isDisabled()).toBe(true)
  await pictures(world, 'rename-file')
  // The extension is not selected.
  await page.keyboard.type('taken')
  await sheet.getByText('A file with that name already exists.').waitFor()
  expect(await confirm.isDisabled()).toBe(true)
  await sheet.getByLabel('Name').fill('a/b.mov')
  await sheet.getByText('A name can’t contain a slash.').waitFor()

  // Somebody else takes a name that the list doesn't show yet.
  await put('media/hidden.mov', 'other')
  await sheet.getByLabel('Name').fill('hidden.mov')
  await confirm.click()
  await sheet.getByText('media/hidden.mov already exists. Nothing was replaced.').waitFor()
  await pictures(world, 'rename-refused')

  const lost = proxy.rule({ when: { method: 'PUT' }, times: 1, fault: { kind: 'drop-response' } })
  await sheet.getByLabel('Name').fill('neu & ünï.mov')
  await page.keyboard.press('Enter')
  await page.getByText('Renamed to neu & ünï.mov.').waitFor()
  expect(lost.hits).toBe(1)
  await sheet.waitFor({ state: 'detached' })
  await grid.getByRole('row', { name: 'neu & ünï.mov', selected: true }).waitFor()
  await expect.poll(() => namesIn(grid)).toEqual(['hidden.mov', 'neu & ünï.mov', 'taken.mov', 'z.txt'])
  expect(await keys()).toEqual(['media/hidden.mov', 'media/neu & ünï.mov', 'media/taken.mov', 'media/z.txt'])
})

it('renames a folder file by file, and goes on after a refusal where it stopped', async () => {
  const world = await openCopyingWorld()
  const { page, put, keys, grid, sheet, proxy } = world
  await put('old/', '')
  const names = Array.from({ length: 250 }, (_, index) => `deep/${String(index).padStart(3, '0')}.txt`)
  await Promise.all(names.map((name) => put(`old/${name}`)))
  await put('other/stays.txt')
  await openStudio(page)
  await row(grid, 'old, folder').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Rename…' }).waitFor()
  await pictures(world, 'rename-menu')
  await page.getByRole('menuitem', { name: 'Rename…' }).click()
  await sheet.getByText('250 files').waitFor()
  await sheet.getByLabel('Name').fill('other')
  await sheet.getByText('A folder with that name already exists.').waitFor()
  await sheet.getByLabel('Name').fill('new')
  await pictures(world, 'rename-folder')

  const body = '<Error><Code>AccessDenied</Code></Error>'
  const refused = proxy.rule({
    when: { method: 'DELETE', path: 'old/deep/200.txt' },
    fault: { kind: 'response', status: 403, body },
  })
  await sheet.getByRole('button', { name: 'Rename' }).click()
  await sheet.getByText('Studio doesn’t allow this with the current key.').waitFor()
  expect(refused.hits).toBe(1)
  await sheet.getByText(/^\d+ of 250 files moved\. The others are where they were\.$/).waitFor()
  await pictures(world, 'rename-stopped')
  // Every file is under one of its names.
  const halfway = new Set((await keys()).map((key) => key.replace(/^(old|new)\//, '')))
  expect(names.filter((name) => !halfway.has(name))).toEqual([])
  refused.remove()
  await sheet.getByRole('button', { name: 'Move the rest' }).click()
  await page.getByText('Renamed to new.').waitFor()
  await grid.getByRole('row', { name: 'new, folder', selected: true }).waitFor()
  await expect.poll(() => namesIn(grid)).toEqual(['new, folder', 'other, folder'])
  expect(await keys()).toEqual(['new/', ...names.map((name) => `new/${name}`), 'other/stays.txt'])
})

it('stops a folder halfway, with each file under one of its names', async () => {
  const { page, put, keys, grid, sheet, proxy } = await openCopyingWorld()
  const names = Array.from({ length: 150 }, (_, index) => `${String(index).padStart(3, '0')}.txt`)
  await Promise.all(names.map((name) => put(`old/${name}`)))
  await openStudio(page)
  await row(grid, 'old, folder').click()
  await page.keyboard.press('F2')
  await sheet.getByLabel('Name').fill('new')
  let release = () => undefined as unknown
  const until = new Promise((resolve) => (release = () => resolve(null)))
  const held = proxy.rule({
    when: { method: 'PUT', path: /new\/12\d/ },
    fault: { kind: 'stall', at: 'request', until },
  })
  await sheet.getByRole('button', { name: 'Rename' }).click()
  await expect.poll(() => held.hits).toBeGreaterThan(0)
  await sheet.getByRole('button', { name: 'Stop' }).click()
  await sheet.getByText(/stopping…$/).waitFor()
  release()
  await sheet.getByText(/^1\d\d of 150 files moved\. The others are where they were\.$/).waitFor()
  const there = await keys()
  expect(there.map((key) => key.replace(/^(old|new)\//, '')).toSorted()).toEqual(names)
  expect(there.filter((key) => key.startsWith('old/')).length).toBeGreaterThan(0)
  await sheet.getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => namesIn(grid)).toEqual(['new, folder', 'old, folder'])
})

it('moves the selection to another folder of the bucket', async () => {
  const world = await openCopyingWorld()
  const { page, put, keys, grid, sheet } = world
  for (const key of ['in/a.txt', 'in/b.txt', 'in/sub/c.txt', 'in/stays.txt', 'out/b.txt']) await put(key)
  await openStudio(page)
  await row(grid, 'in, folder').dblclick()
  await row(grid, 'a.txt').click()
  await row(grid, 'sub, folder').click({ modifiers: ['ControlOrMeta'] })
  await row(grid, 'sub, folder').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Move to…' }).click()
  const confirm = sheet.getByRole('button', { name: 'Move' })
  await sheet.getByText('2 files').waitFor()
  expect(await confirm.isDisabled()).toBe(true)
  await sheet.getByLabel('Folder').fill('in/sub/deeper')
  await sheet.getByText('A folder can’t be moved into itself.').waitFor()
  expect(await confirm.isDisabled()).toBe(true)
  await sheet.getByLabel('Folder').fill('out/new')
  await pictures(world, 'move-to')
  await page.keyboard.press('Enter')
  await page.getByText('2 files moved to out/new/.').waitFor()
  await expect.poll(() => namesIn(grid)).toEqual(['b.txt', 'stays.txt'])
  expect(await keys()).toEqual(['in/b.txt', 'in/stays.txt', 'out/b.txt', 'out/new/a.txt', 'out/new/sub/c.txt'])

  await row(grid, 'b.txt').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Move to…' }).click()
  await sheet.getByLabel('Folder').fill('out/')
  await confirm.click()
  await sheet.getByText('out/b.txt already exists. Nothing was replaced.').waitFor()
  await sheet.getByLabel('Folder').fill('')
  await confirm.click()
  await page.getByText('1 file moved to media.').waitFor()
  expect(await keys()).toContain('b.txt')
})

it('says where the service makes no copies', async () => {
  const { page, put } = await openWorld()
  await put('one.txt', 'one')
  await openStudio(page)
  const grid = page.getByRole('grid', { name: 'Files' })
  await row(grid, 'one.txt').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Delete…' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Rename…' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await row(grid, 'one.txt').press('F2')
  await page.getByText('Files in Studio can’t be renamed or moved, because its service can’t copy files.').waitFor()
})

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import { openStudio, reads, shot, transferRow } from '../../support/window/desk-window.ts'
import { createDownloadDesk } from '../../support/window/download-desk.ts'
import { dropFiles } from '../../support/window/drop-files.ts'
import { writeRandomFile } from '../../support/tools/random-file.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

it('asks what is to be where another client replaced the object', async () => {
  const { proxy } = await createDownloadDesk()
  const folder = await tempDir()
  const objectUrl = (key: string) => `${proxy.endpoint}/demo/${key}`
  const content = async (key: string) => Buffer.from(await (await fetch(objectUrl(key))).arrayBuffer())
  // The answer to Complete is lost, and by the time anybody looks the object is somebody else's.
  for (const key of ['theirs.mov', 'ours.mov']) {
    proxy.rule({
      when: { method: 'POST', path: `/${key}`, query: { uploadId: true } },
      times: 1,
      first: () => fetch(objectUrl(key), { method: 'PUT', body: 'of another client' }),
      fault: { kind: 'reset', at: 'response' },
    })
    await writeRandomFile(join(folder, key), 17 * MIB)
  }
  const { page } = await openStudio(proxy, join(folder, 'user-data'))
  const theirs = transferRow(page, 'theirs.mov')
  const ours = transferRow(page, 'ours.mov')
  await dropFiles(page, [join(folder, 'theirs.mov'), join(folder, 'ours.mov')])
  await reads(theirs, 'Someone else created this file in the meantime. Nothing was replaced.')
  await reads(ours, 'Someone else created this file in the meantime. Nothing was replaced.')

  await theirs.getByRole('button', { name: 'Decide…' }).click()
  const sheet = page.getByRole('dialog', { name: 'Which version of theirs.mov should be kept?' })
  await reads(sheet, '17 bytes')
  await reads(sheet, '17,825,792 bytes')
  await shot(page, 'decide-light')
  await page.emulateMedia({ colorScheme: 'dark' })
  await shot(page, 'decide-dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await sheet.getByRole('button', { name: 'Keep the server’s version' }).click()
  await theirs.waitFor({ state: 'detached' })
  expect((await content('theirs.mov')).toString()).toBe('of another client')

  // The menu begins with what the button does.
  await ours.click({ button: 'right' })
  const [first] = await page.getByRole('menu').getByRole('menuitem').all()
  expect(await first?.textContent()).toBe('Decide…Enter')
  await shot(page, 'decide-menu')
  await first?.click()
  await page
    .getByRole('dialog', { name: 'Which version of ours.mov should be kept?' })
    .getByRole('button', { name: 'Upload again' })
    .click()
  await reads(ours, 'verified')
  expect((await content('ours.mov')).equals(await readFile(join(folder, 'ours.mov')))).toBe(true)
  const unfinished = (await (await fetch(`${proxy.endpoint}/demo/?uploads`)).json()) as { Uploads?: object[] }
  expect(unfinished.Uploads ?? []).toEqual([])
})

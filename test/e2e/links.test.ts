import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { electronExecutable, launchSluice, sluiceArguments } from '../support/electron-app.ts'
import { reads, shot, transferRow } from '../support/desk-window.ts'
import { startScript } from '../support/scripted-server.ts'
import { tempDir } from '../support/temp-dir.ts'

it(
  'asks before it downloads what a link from outside names, at launch and from a second one',
  { timeout: 120_000 },
  async () => {
    const folder = await tempDir()
    const [userDataDir, target] = [join(folder, 'user-data'), join(folder, 'downloads')]
    await mkdir(target)
    const server = await startScript([
      { status: 200, headers: { etag: '"e"', 'last-modified': 'Sat, 21 Nov 2026 07:57:32 GMT' }, body: 'content' },
    ])
    const { page, close } = await launchSluice({ userDataDir, links: ['sluice://media/film%20one.mov', '--harmless'] })
    onTestFinished(close)
    const sheet = page.getByRole('dialog')
    await sheet.getByText('No place has the bucket “media” yet.').waitFor()
    await sheet.getByText('film one.mov', { exact: true }).waitFor()
    await shot(page, 'link-no-place')
    await sheet.getByRole('button', { name: 'Cancel' }).click()
    await page.evaluate(
      async ([endpoint = '', downloadsFolder = '']) => {
        const how = { dialect: 'storage', pathStyle: true, scheme: 'STORAGE', signature: 'none', region: '' } as const
        const who = { accessKeyId: '', secretAccessKey: '', sessionToken: '', profile: '' } as const
        const looks = { preset: 'storage', color: 'none' } as const
        const place = { name: 'Studio', endpoint, bucket: 'media', ...how, ...who, ...looks }
        await window.sluice.invoke('places:add', place)
        await window.sluice.invoke('settings:set', { downloadsFolder })
      },
      [server.endpoint, target],
    )
    await page.reload()
    await page.getByRole('button', { name: 'Studio', exact: true }).waitFor()

    const second = spawn(electronExecutable(), [...sluiceArguments(userDataDir), 'sluice://media/film%20one.mov'])
    await once(second, 'exit')
    await sheet.getByText('7 bytes', { exact: true }).waitFor()
    await sheet.getByText(`Studio · ${new URL(server.endpoint).host} · media / film one.mov`).waitFor()
    await shot(page, 'link-sheet')
    expect(await readdir(target)).toEqual([])
    const queue = await page.evaluate(() => window.sluice.invoke('queue:snapshot', null))
    expect(queue).toMatchObject({ ok: true, value: { rows: [] } })
    await sheet.getByRole('button', { name: 'Download' }).click()
    await reads(transferRow(page, 'film one.mov'), /Done|Verified|checked/i)
    expect(await readFile(join(target, 'film one.mov'), 'utf8')).toBe('content')

    await page.getByRole('grid', { name: 'Transfers' }).focus()
    await page.evaluate((text) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', text)
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
    }, `${server.endpoint}/media/other.mov?sig=1`)
    await sheet.getByText('other.mov', { exact: true }).waitFor()
    await sheet.getByText('7 bytes', { exact: true }).waitFor()
  },
)

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { CERTIFICATES } from '../../support/servers/certificates.ts'
import { dropFiles } from '../../support/window/drop-files.ts'
import { choosePaths, electronExecutable, launchSluice, sluiceArguments } from '../../support/window/electron-app.ts'
import { reads, shot, transferRow } from '../../support/window/desk-window.ts'
import { startScript } from '../../support/servers/scripted-server.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { startTlsFront } from '../../support/servers/tls-front.ts'

it('asks before it downloads what a link from outside names, at launch and from a second one', async () => {
  const folder = await tempDir()
  const [userDataDir, target] = [join(folder, 'user-data'), join(folder, 'downloads')]
  await mkdir(target)
  const server = await startScript([
    { status: 200, headers: { etag: '"e"', 'last-modified': 'Sat, 21 Nov 2026 07:57:32 GMT' }, body: 'content' },
  ])
  const { app, page, close } = await launchSluice({
    userDataDir,
    links: ['sluice://media/film%20one.mov', '--harmless'],
  })
  onTestFinished(close)
  const sheet = page.getByRole('dialog')
  await sheet.getByText('No place has the bucket “media” yet.').waitFor()
  await sheet.getByText('film one.mov', { exact: true }).waitFor()
  await shot(page, 'link-no-place')
  await sheet.getByRole('button', { name: 'Cancel' }).click()
  await choosePaths({ app }, target)
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

  await page.getByRole('treegrid', { name: 'Transfers' }).focus()
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', text)
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
  }, `${server.endpoint}/media/other.mov?sig=1\nThe other one:\nftp://a.example/b`)
  await sheet.getByText('other.mov', { exact: true }).waitFor()
  await sheet.getByText('7 bytes', { exact: true }).waitFor()
  await sheet.getByText('2 lines aren’t links and were left out').waitFor()
})

it('says what typed links lead to before anything is written, and starts those that are not refused', async () => {
  const folder = await tempDir()
  const target = join(folder, 'downloads')
  await mkdir(target)
  const good = await startScript([{ status: 200, headers: { etag: '"e"' }, body: 'content' }])
  const gone = await startScript([{ status: 404 }])
  const expired = '<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>'
  const late = await startScript([{ status: 403, body: expired }])
  const big = await startScript([{ status: 200, body: 'x'.repeat(12_000_000) }])
  const secure = await startTlsFront(good.endpoint, CERTIFICATES.good)
  const { app, page, close } = await launchSluice({ userDataDir: join(folder, 'user-data') })
  onTestFinished(close)
  await choosePaths({ app }, target)
  await page.evaluate((downloadsFolder) => window.sluice.invoke('settings:set', { downloadsFolder }), target)
  await page.reload()
  // What is on the clipboard is offered beside what is typed, once.
  await page.evaluate((text) => window.sluice.invoke('clipboard:write', { text }), `${big.endpoint}/big.iso?sig=1`)
  await page.getByRole('button', { name: 'Download from a link…' }).click()
  const sheet = page.getByRole('dialog')
  const lines = sheet.getByLabel('Links or paths')
  await lines.fill(`${gone.endpoint}/gone.mov`)
  await sheet.getByText(`${big.endpoint}/big.iso`, { exact: true }).waitFor()
  await shot(page, 'links-clipboard')
  await sheet.getByRole('button', { name: 'Use link from clipboard' }).click()
  await expect.poll(() => lines.inputValue()).toBe(`${gone.endpoint}/gone.mov\n${big.endpoint}/big.iso?sig=1`)
  expect(await sheet.getByRole('button', { name: 'Use link from clipboard' }).count()).toBe(0)
  const fill = async (links: readonly string[]) => {
    await lines.fill(links.join('\n'))
    await sheet.getByRole('button', { name: 'Continue' }).click()
  }
  await fill([
    `${good.endpoint}/good.mov`,
    `${gone.endpoint}/gone.mov`,
    `${late.endpoint}/late.mov?sig=1`,
    `${big.endpoint}/big.iso`,
  ])
  await sheet.getByText('This server can’t continue downloads: pausing means starting over.').waitFor()
  await sheet.getByText('7 bytes', { exact: true }).waitFor()
  await sheet.getByText(/ has nothing at this link \(404\)\.$/).waitFor()
  await sheet.getByText('The link has expired.').waitFor()
  expect(await sheet.getByText('Won’t be downloaded').count()).toBe(2)
  expect(await sheet.getByRole('button', { name: 'Download 2 of 4' }).isEnabled()).toBe(true)
  await shot(page, 'links-typed')
  await page.emulateMedia({ colorScheme: 'dark' })
  await shot(page, 'links-typed-dark')
  expect(await readdir(target)).toEqual([])

  await sheet.getByRole('button', { name: 'Back' }).click()
  await fill([`${good.endpoint}/good.mov`, `${secure}/secure.mov`])
  await sheet.getByRole('button', { name: 'Show certificate…' }).click()
  await shot(page, 'links-certificate-dark')
  await sheet.getByRole('button', { name: `Trust this certificate for ${new URL(secure).host}` }).click()
  await expect.poll(() => sheet.getByText('7 bytes', { exact: true }).count()).toBe(2)
  await sheet.getByRole('button', { name: 'Download 2 items' }).click()
  await sheet.waitFor({ state: 'detached' })
  for (const name of ['good.mov', 'secure.mov']) await reads(transferRow(page, name), /Done|Verified|checked/i)
})

it('gives focus to what starts typed links, and gives the text back where that sheet is left', async () => {
  const folder = await tempDir()
  const target = join(folder, 'downloads')
  await mkdir(target)
  const good = await startScript([{ status: 200, headers: { etag: '"e"' }, body: 'content' }])
  const { app, page, close } = await launchSluice({ userDataDir: join(folder, 'user-data') })
  onTestFinished(close)
  await choosePaths({ app }, target)
  await page.evaluate((downloadsFolder) => window.sluice.invoke('settings:set', { downloadsFolder }), target)
  await page.reload()
  await page.getByRole('button', { name: 'Download from a link…' }).click()
  const sheet = page.getByRole('dialog')
  const text = sheet.getByLabel('Links or paths')
  const typed = `${good.endpoint}/good.mov\n${good.endpoint}/more.mov`
  const start = sheet.getByRole('button', { name: 'Download 2 items' })
  await text.fill(typed)
  await sheet.getByRole('radio', { name: 'Replace' }).check({ force: true })
  for (const leave of ['Escape', 'Back']) {
    await page.keyboard.press('ControlOrMeta+Enter')
    await start.waitFor()
    await expect.poll(() => start.evaluate((button) => button === document.activeElement)).toBe(true)
    await shot(page, 'links-focus')
    if (leave === 'Escape') await page.keyboard.press(leave)
    else await sheet.getByRole('button', { name: leave }).click()
    await text.waitFor()
    expect(await text.inputValue()).toBe(typed)
    expect(await sheet.getByRole('radio', { name: 'Replace' }).isChecked()).toBe(true)
  }
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect.poll(() => start.evaluate((button) => button === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await sheet.waitFor({ state: 'detached' })
  for (const name of ['good.mov', 'more.mov']) await reads(transferRow(page, name), /Done|Verified|checked/i)
})

it('reads a dropped list of links, keeps it while a place is added, and uploads the list where that is meant', async () => {
  const folder = await tempDir()
  const [list, target] = [join(folder, 'links.txt'), join(folder, 'downloads')]
  const good = await startScript([{ status: 200, headers: { etag: '"e"' }, body: 'content' }])
  await mkdir(target)
  await writeFile(list, `# for today\n${good.endpoint}/good.mov\ns3://media/film.mov\n`)
  const { app, page, close } = await launchSluice({ userDataDir: join(folder, 'user-data') })
  onTestFinished(close)
  await choosePaths({ app }, target)
  await page.evaluate((downloadsFolder) => window.sluice.invoke('settings:set', { downloadsFolder }), target)
  await page.reload()
  await page.getByRole('button', { name: 'Download from a link…' }).waitFor()

  await dropFiles(page, [list])
  const sheet = page.getByRole('dialog')
  await sheet.getByText('No place has the bucket “media” yet.').waitFor()
  await sheet.getByRole('radio', { name: 'Replace' }).check({ force: true })
  await shot(page, 'links-dropped')
  await sheet.getByRole('button', { name: 'Add place…' }).click()
  await page.getByRole('dialog', { name: 'Add place' }).getByRole('button', { name: 'Cancel' }).click()
  await sheet.getByText('good.mov', { exact: true }).waitFor()
  expect(await sheet.getByRole('radio', { name: 'Replace' }).isChecked()).toBe(true)
  await sheet.getByText('7 bytes', { exact: true }).waitFor()
  await sheet.getByRole('button', { name: 'Download 1 of 2' }).click()
  await reads(transferRow(page, 'good.mov'), /Done|Verified|checked/i)

  await dropFiles(page, [list])
  await sheet.getByRole('button', { name: 'Upload the list instead' }).click()
  await reads(transferRow(page, 'links.txt'), /Done|Verified|checked/i)
})

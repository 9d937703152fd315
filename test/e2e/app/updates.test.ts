import { once } from 'node:events'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { access, readFile, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import { mountShare } from '../../soak/hanging-share.ts'
import { startHttpProxy } from '../../support/proxies/http-proxy.ts'
import { FILE_NAME, startUpdateServer, type UpdateServer } from '../../support/servers/update-server.ts'
import { writeRandomFile } from '../../support/tools/random-file.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { reads, shot, transferRow } from '../../support/window/desk-window.ts'
import { dropFiles } from '../../support/window/drop-files.ts'
import { electronExecutable, launchSluice, type LaunchedSluice } from '../../support/window/electron-app.ts'

interface Copy {
  readonly folder: string
  readonly server: UpdateServer
  /** The file that this copy is to be taken for. */
  readonly image: string
  readonly open: (environment?: Readonly<Record<string, string>>) => Promise<LaunchedSluice>
}

/** A copy of the app that was built to ask a server of its own, and takes itself for an AppImage. */
async function copyWithUpdates(): Promise<Copy> {
  const folder = await tempDir()
  const server = await startUpdateServer('sluice-updater')
  const image = join(folder, 'Sluice.AppImage')
  await writeFile(image, 'older')
  await writeFile(join(folder, 'updates.json'), JSON.stringify(server.build))
  const open: Copy['open'] = async (environment = {}) => {
    const sluice = await launchSluice({
      userDataDir: join(folder, 'user-data'),
      environment: {
        ...{ SLUICE_UPDATES: join(folder, 'updates.json'), XDG_CACHE_HOME: join(folder, 'cache'), APPIMAGE: image },
        APPDIR: dirname(electronExecutable()),
        ...environment,
      },
    })
    onTestFinished(sluice.close)
    return sluice
  }
  return { folder, server, image, open }
}

const check = ({ app }: LaunchedSluice): Promise<void> =>
  app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('check-updates')?.click() as undefined)

const bar = (page: Page) =>
  page
    .getByRole('status')
    .filter({ hasText: /Sluice|update/i })
    .first()

it('asks once whether to look for updates, and asks no server before', async () => {
  const { folder, server, open } = await copyWithUpdates()
  const first = await open()
  await writeFile(join(folder, 'small.txt'), 'text')
  await dropFiles(first.page, [join(folder, 'small.txt')])
  await reads(transferRow(first.page, 'small.txt'), 'verified')
  await first.close()
  const second = await open()
  await second.page.getByText(/Check for updates once a day\?/).waitFor()
  await shot(second.page, 'update-consent')
  expect(server.asked).toEqual([])
  server.offer({ version: '99.0.0', content: Buffer.from('newer') })
  await second.page.getByRole('button', { name: 'Check daily' }).click()
  await reads(bar(second.page), 'Sluice 99.0.0 is available.')
  expect(server.asked).toEqual(['stable-linux-x64.json'])
  await shot(second.page, 'update-offered')
  await second.close()
  const third = await open()
  await reads(bar(third.page), 'Sluice 99.0.0 is available.')
  expect(await third.page.getByText(/Check for updates once a day\?/).count()).toBe(0)
  expect(server.asked).toEqual(['stable-linux-x64.json', 'stable-linux-x64.json'])
})

it('downloads at a word, waits for transfers, restarts as the newer at a word, and keeps queue and settings', async () => {
  const { folder, server, image, open } = await copyWithUpdates()
  const started = join(folder, 'started')
  const newer = Buffer.from(`#!/bin/sh\necho started > '${started}'\n# ${randomBytes(MIB).toString('hex')}\n`)
  const sluice = await open()
  const { page } = sluice
  await page.evaluate(() => window.sluice.invoke('settings:set', { limitBytesPerSecond: 200_000, showsTray: false }))
  const file = join(folder, 'film.mov')
  await writeRandomFile(file, 64 * MIB)
  await dropFiles(page, [file])
  await reads(transferRow(page, 'film.mov'), /MB/)

  server.offer({ version: '99.0.0', content: newer })
  await check(sluice)
  await reads(bar(page), 'Sluice 99.0.0 is available.')
  expect(server.asked).not.toContain(FILE_NAME)
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  await reads(bar(page), 'Sluice 99.0.0 is ready to install.')
  await shot(page, 'update-ready')
  await page.getByRole('button', { name: 'Update when transfers are done' }).click()
  await reads(bar(page), 'It will be installed when transfers are done.')
  await shot(page, 'update-deferred')
  expect(await readFile(image, 'utf8')).toBe('older')

  const exited = once(sluice.app.process(), 'exit')
  await page.getByRole('button', { name: 'Restart now' }).click()
  await exited
  expect(await readFile(image)).toEqual(newer)
  await expect
    .poll(() =>
      access(started).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
  const again = await open()
  await reads(transferRow(again.page, 'film.mov'), /of 67/)
  const settings = await again.page.evaluate(() => window.sluice.invoke('settings:get', null))
  expect(settings).toMatchObject({ value: { limitBytesPerSecond: 200_000, showsTray: false } })
  await again.page.evaluate(() => window.sluice.invoke('settings:set', { limitBytesPerSecond: null }))
  await reads(transferRow(again.page, 'film.mov'), 'verified')
})

it('restarts as the newer although a drive hangs', async (context) => {
  const { folder, server, image, open } = await copyWithUpdates()
  const share = (await mountShare(folder, 0)) ?? context.skip('mounting takes bindfs')
  const started = join(folder, 'started')
  const newer = Buffer.from(`#!/bin/sh\necho started > '${started}'\n`)
  const sluice = await open()
  // Before the app is closed: no process ends while a file of its own hangs.
  onTestFinished(() => share.comeBack())
  const { page } = sluice
  await page.evaluate(() => window.sluice.invoke('settings:set', { limitBytesPerSecond: 1_000_000, showsTray: false }))
  const file = join(folder, 'share', 'film.mov')
  await writeRandomFile(file, 64 * MIB)
  await dropFiles(page, [file])
  await reads(transferRow(page, 'film.mov'), /[1-9][\d.]* (MB )?of 67/)
  server.offer({ version: '99.0.0', content: newer })
  await check(sluice)
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  await reads(bar(page), 'Sluice 99.0.0 is ready to install.')
  share.hang()
  await reads(transferRow(page, 'film.mov'), 'isn’t responding')

  await page.getByRole('button', { name: 'Restart now' }).click()
  await expect.poll(() => readFile(started, 'utf8').catch(() => null), { timeout: 60_000 }).toBe('started\n')
  expect(await readFile(image)).toEqual(newer)
})

it('takes nothing that the makers have not signed, nothing damaged and nothing older, and says so', async () => {
  const { folder, server, image, open } = await copyWithUpdates()
  const content = Buffer.alloc(MIB, 'newer')
  const sluice = await open()
  const { page } = sluice

  await check(sluice)
  await reads(bar(page), 'Couldn’t check for updates. Check your connection and try again.')
  server.offer({ version: '99.0.0', content, key: generateKeyPairSync('ed25519').privateKey })
  await check(sluice)
  await reads(bar(page), 'The update server’s answer isn’t signed by the makers of Sluice, so it was ignored.')
  await shot(page, 'update-not-genuine')
  // The same is said once more: what was said before goes first.
  await bar(page).locator('..').getByRole('button', { name: 'Dismiss' }).click()
  await bar(page).waitFor({ state: 'detached' })
  server.offer({ version: '99.0.0-beta.1', content, signedAs: 'beta-linux-x64.json' })
  await check(sluice)
  await reads(bar(page), 'The update server’s answer isn’t signed')
  server.offer({ version: '0.0.9', content })
  await check(sluice)
  await reads(bar(page), /^Sluice .* is the newest version\.$/)
  expect(server.asked).not.toContain(FILE_NAME)

  server.offer({ version: '99.0.0', content })
  server.give(FILE_NAME, Buffer.alloc(MIB, 'other'))
  await check(sluice)
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  await reads(bar(page), 'The update arrived damaged and was not used. Download it again.')
  expect(await page.getByRole('button', { name: 'Restart now' }).count()).toBe(0)
  expect(await readFile(image, 'utf8')).toBe('older')
  const kept = await readdir(join(folder, 'cache', 'sluice-updater', 'pending')).catch(() => [])
  expect(kept.filter((name) => name.endsWith('.AppImage'))).toEqual([])
  server.give(FILE_NAME, content)
  await page.getByRole('button', { name: 'Try again' }).click()
  await reads(bar(page), 'Sluice 99.0.0 is ready to install.')
  await sluice.close()
  expect(await readFile(image, 'utf8')).toBe('older')
})

it('tells where something else installs it, and in About and the settings what there is to know', async () => {
  const { folder, server, open } = await copyWithUpdates()
  // As root every folder can be written to; one that isn't there can't.
  const sluice = await open({ APPIMAGE: join(folder, 'elsewhere', 'Sluice.AppImage') })
  const { app, page } = sluice
  server.offer({ version: '99.0.0', content: Buffer.from('newer') })
  await check(sluice)
  await reads(bar(page), 'Sluice 99.0.0 is available. Install it the way you installed this version.')
  expect(await page.getByRole('button', { name: 'Download', exact: true }).count()).toBe(0)
  await app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('about')?.click() as undefined)
  const about = page.getByRole('dialog', { name: 'About Sluice' })
  await about.getByText('Sluice 99.0.0 is available.').waitFor()
  await shot(page, 'update-about')
  await page.keyboard.press('Escape')
  await app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('settings')?.click() as undefined)
  await page.getByText('Beta versions, too').click()
  await page.getByText(/Check for updates once a day at 127/).waitFor()
  await shot(page, 'update-settings')
  expect(server.asked).toEqual(['stable-linux-x64.json'])
})

it('signs in at the proxy of the settings, for the list and for the download, and at no other', async () => {
  const server = await startUpdateServer('sluice-updater', 'https')
  const build = { ...server.build, url: 'https://updates.invalid/' }
  const { folder, open } = await copyWithUpdates()
  await writeFile(join(folder, 'updates.json'), JSON.stringify(build))
  const hosts = { 'updates.invalid:443': new URL(server.url).host }
  const signIn = { user: 'person', password: 'canary-of-the-proxy' }
  const [proxy, other] = [await startHttpProxy({ signIn, hosts }), await startHttpProxy({ signIn, hosts })]
  server.offer({ version: '99.0.0', content: Buffer.alloc(MIB, 'newer') })
  const sluice = await open()
  const { app, page } = sluice
  await app.evaluate(({ session }) => {
    // The certificate is one of tests.
    session.fromPartition('electron-updater', { cache: false }).setCertificateVerifyProc((_request, done) => done(0))
  })
  const goThrough = (port: number, password: string) =>
    page.evaluate((given) => window.sluice.invoke('network:set-proxy', given), {
      ...{ mode: 'manual' as const, host: '127.0.0.1', port },
      ...{ exempt: '', user: signIn.user, password },
    })

  await goThrough(proxy.port, 'another')
  await check(sluice)
  await reads(bar(page), 'Updates need the proxy’s user name and password. Check them in Settings, Network.')
  await shot(page, 'update-proxy-sign-in')
  expect(server.asked).toEqual([])

  await goThrough(proxy.port, signIn.password)
  await page.getByRole('button', { name: 'Try again' }).click()
  await reads(bar(page), 'Sluice 99.0.0 is available.')
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  await reads(bar(page), 'Sluice 99.0.0 is ready to install.')
  expect(new Set(proxy.tunnels)).toEqual(new Set(['updates.invalid:443']))
  expect(server.asked).toEqual(['stable-linux-x64.json', FILE_NAME])
  expect(other.headers).toEqual([])
})

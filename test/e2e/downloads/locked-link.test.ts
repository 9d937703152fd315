import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import { giveObject } from '../../support/servers/object-server.ts'
import { startScript } from '../../support/servers/scripted-server.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { reads, shot, transferRow } from '../../support/window/desk-window.ts'
import { choosePaths, launchSluice } from '../../support/window/electron-app.ts'
import { useKeyring } from '../../support/window/keyring.ts'
import { sha256, sha256OfFile } from '../../support/worlds/download-fixture.ts'

const AUTHORIZATION = `Basic ${Buffer.from('ann:hidden').toString('base64')}`
const WHOLE = `/film.mov?signature=secret ${AUTHORIZATION}`

it('asks for nothing without the query and sign-in of a link while the keyring is locked, and goes on once it is open', async () => {
  const folder = await tempDir()
  const [userDataDir, target] = [join(folder, 'user-data'), join(folder, 'downloads')]
  await mkdir(target)
  const content = randomBytes(8 * MIB)
  const give = giveObject(content)
  const server = await startScript([
    (request) => (request.headers.authorization === AUTHORIZATION ? give(request) : { status: 401 }),
  ])
  const asked = () => new Set(server.requests.map((request) => `${request.url} ${request.headers.authorization}`))
  const url = `${server.endpoint.replace('://', '://ann:hidden@')}/film.mov?signature=secret`

  const first = await launchSluice({ userDataDir })
  await useKeyring(first.app, true)
  await choosePaths(first, target)
  const settings = { downloadsFolder: target, connectionsPerTransfer: 1, limitBytesPerSecond: 100_000 }
  await first.page.evaluate((wanted) => window.sluice.invoke('settings:set', wanted), settings)
  await first.page.getByRole('button', { name: 'Download…' }).first().click()
  const sheet = first.page.getByRole('dialog')
  await sheet.getByRole('tab', { name: 'Link or path' }).click()
  await sheet.getByLabel('Links or paths').fill(url)
  await sheet.getByRole('button', { name: 'Continue', exact: true }).click()
  await sheet.getByText('8.39 MB', { exact: true }).waitFor()
  await sheet.getByRole('button', { name: 'Download', exact: true }).click()
  await reads(transferRow(first.page, 'film.mov'), /[1-9][\d.]* ([kM]B )?of 8\.39 MB/)
  await first.close()

  // What ran goes on by itself, and finds no keyring.
  const before = server.requests.length
  const { app, page, close } = await launchSluice({ userDataDir })
  onTestFinished(close)
  await useKeyring(app, false)
  await page.evaluate(() => window.sluice.invoke('settings:set', { limitBytesPerSecond: null }))
  const film = transferRow(page, 'film.mov')
  await reads(film, 'The keyring that protects this link can’t be opened now.')
  const unlock = film.getByRole('button', { name: 'Unlock keyring…' })
  await shot(page, 'keyring-locked-link')
  await unlock.click()
  const question = page.getByRole('alertdialog', { name: 'Restart Sluice to unlock the keyring?' })
  await question.getByRole('button', { name: 'Not now' }).click()
  await question.waitFor({ state: 'detached' })
  expect(asked()).toEqual(new Set([WHOLE]))

  await useKeyring(app, true)
  await unlock.click()
  await reads(film, /verified|checked/i)
  expect(await sha256OfFile(join(target, 'film.mov'))).toBe(sha256(content))
  expect(asked()).toEqual(new Set([WHOLE]))
  // What was there is not fetched again.
  expect(server.requests.slice(before).filter(({ headers }) => /^bytes=0-/.test(headers.range ?? 'bytes=0-'))).toEqual(
    [],
  )
})

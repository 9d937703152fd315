import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { findCanaries, canary } from '../../support/tools/canaries.ts'
import { launchSluice, type LaunchedSluice } from '../../support/window/electron-app.ts'
import { reads, shot, transferRow } from '../../support/window/desk-window.ts'
import { uploadSlowly } from '../../support/window/drop-files.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

const clickMenu = ({ app }: LaunchedSluice, id: string) =>
  app.evaluate(({ Menu }, item) => {
    Menu.getApplicationMenu()?.getMenuItemById(item)?.click()
  }, id)

it('saves a report about itself where a person wants it, without secrets', async () => {
  const folder = await tempDir()
  const sluice = await launchSluice({ userDataDir: join(folder, 'user-data') })
  onTestFinished(sluice.close)
  const { app, page } = sluice
  const secrets = { 'secret key': canary('key'), 'proxy password': canary('proxy') }
  await page.evaluate(
    async ([secretAccessKey, password]) => {
      const who = {
        scheme: 'STORAGE',
        signature: 'hmac-sha256',
        region: '',
        accessKeyId: 'AKIA',
        secretAccessKey,
      } as const
      const where = { name: 'Studio', endpoint: 'https://s.example.com', bucket: 'media', dialect: 's3' } as const
      const rest = { pathStyle: true, profile: '', sessionToken: '', preset: 's3', color: 'none' } as const
      await window.sluice.invoke('places:add', { ...where, ...who, ...rest })
      const proxy = { mode: 'manual', host: '127.0.0.1', port: 9, exempt: '', user: 'ann', password } as const
      await window.sluice.invoke('network:set-proxy', proxy)
    },
    [secrets['secret key'], secrets['proxy password']] as const,
  )
  const path = join(folder, 'report.txt')
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath })
  }, path)
  await clickMenu(sluice, 'save-report')
  const sheet = page.getByRole('dialog', { name: 'Save report' })
  await sheet.waitFor()
  await shot(page, 'save-report')
  await sheet.getByRole('button', { name: 'Save…' }).click()
  await page.getByText('Report saved.').waitFor()
  const plain = await readFile(path, 'utf8')
  expect(plain).toContain('Safe mode: off')
  expect(plain).toContain('Proxy: manual')
  expect(plain).toContain('Place 2: s3, s3, https')
  expect(['Studio', 's.example.com', 'AKIA'].filter((name) => plain.includes(name))).toEqual([])

  await clickMenu(sluice, 'save-report')
  await sheet.getByText('Include names').click()
  await sheet.getByRole('button', { name: 'Save…' }).click()
  await expect.poll(() => readFile(path, 'utf8')).toContain('Studio')
  expect(await findCanaries(secrets, [folder])).toEqual([])
})

it('checks the list of transfers and says that it is sound', async () => {
  const sluice = await launchSluice({ userDataDir: await tempDir() })
  onTestFinished(sluice.close)
  const asked = sluice.app.evaluate(
    ({ dialog }) =>
      new Promise<string>((resolve) => {
        dialog.showMessageBox = (...given: unknown[]) => {
          const { message, detail } = given.at(-1) as { message: string; detail: string }
          resolve(`${message} ${detail}`)
          return Promise.resolve({ response: 0, checkboxChecked: false })
        }
      }),
  )
  await clickMenu(sluice, 'check-list')
  expect(await asked).toBe('The list of transfers is undamaged. It holds 0 transfers.')
})

it('starts safely: nothing moves, and nothing that is set is lost', async () => {
  const folder = await tempDir()
  const userDataDir = join(folder, 'user-data')
  const first = await launchSluice({ userDataDir })
  await uploadSlowly(first.page, folder)
  await first.page.evaluate(() => window.sluice.invoke('settings:set', { limitBytesPerSecond: 1_000_000 }))
  const filmOf = ({ page }: LaunchedSluice) => transferRow(page, 'film.mov')
  await first.kill()

  const safe = await launchSluice({ userDataDir, links: ['--safe-mode'] })
  await safe.page.getByText('Safe mode: transfers are paused').waitFor()
  await reads(filmOf(safe), 'Paused')
  const limitOf = ({ page }: LaunchedSluice) =>
    page.evaluate(async () => {
      const reply = await window.sluice.invoke('settings:get', null)
      return reply.ok ? reply.value.limitBytesPerSecond : undefined
    })
  /** Nothing listens at port 9. */
  const demoOf = ({ page }: LaunchedSluice) =>
    page.evaluate(async () => {
      const reply = await window.sluice.invoke('places:list', null)
      return reply.ok ? reply.value.find(({ isDemo }) => isDemo)?.endpoint : undefined
    })
  expect(await limitOf(safe)).toBeNull()
  await shot(safe.page, 'safe-mode')
  await safe.page.evaluate(() => window.sluice.invoke('settings:set', { limitBytesPerSecond: 5_000_000 }))
  expect(await demoOf(safe)).toBe('http://127.0.0.1:9')
  await safe.close()

  const again = await launchSluice({ userDataDir })
  onTestFinished(again.close)
  expect(await limitOf(again)).toBe(1_000_000)
  await reads(filmOf(again), 'Paused')
  expect(await demoOf(again)).not.toBe('http://127.0.0.1:9')
})

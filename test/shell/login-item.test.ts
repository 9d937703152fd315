import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { loadSettings } from '../../electron/services/persistence/settings-store.ts'
import { withLoginItem } from '../../electron/shell/login-item.ts'
import { memoryValues } from '../support/fakes/named-values.ts'
import { tempDir } from '../support/tools/temp-dir.ts'

const { paths } = vi.hoisted(() => ({ paths: { appData: '' } }))
vi.mock('electron', () => ({
  app: { isPackaged: true, getPath: () => paths.appData, getAppPath: () => '/app' },
}))

it.skipIf(process.platform !== 'linux').each([
  ['Hidden=true', /^X-GNOME-Autostart-enabled=true$/m],
  ['X-MATE-Autostart-enabled=false', /^X-GNOME-Autostart-enabled=true$/m],
])('is off where the desktop has written %s into its entry, and on again as it is set here', async (line, made) => {
  paths.appData = await tempDir()
  const entry = join(paths.appData, 'autostart', 'sluice.desktop')
  await mkdir(join(paths.appData, 'autostart'))
  const { settings: first } = await withLoginItem({ settings: await loadSettings(memoryValues()) })
  await first.set({ opensAtLogin: true })
  const text = await readFile(entry, 'utf8')
  await writeFile(entry, `${text}${line}\n`)

  const values = memoryValues()
  const { settings } = await withLoginItem({ settings: await loadSettings(values) })
  expect(settings.get().opensAtLogin).toBe(false)
  await settings.set({ opensAtLogin: true })
  expect(await readFile(entry, 'utf8')).toMatch(made)
  expect(await readFile(entry, 'utf8')).not.toContain(line)
})

it.skipIf(process.platform !== 'linux')('is on where the entry is as it was written', async () => {
  paths.appData = await tempDir()
  const values = memoryValues()
  const { settings } = await withLoginItem({ settings: await loadSettings(values) })
  await settings.set({ opensAtLogin: true })
  const again = await withLoginItem({ settings: await loadSettings(memoryValues()) })
  expect(again.settings.get().opensAtLogin).toBe(true)
})

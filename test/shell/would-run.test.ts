import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { wouldRun } from '../../electron/shell/would-run.ts'
import { tempDir } from '../support/tools/temp-dir.ts'

it('opens nothing that a system would run, by its name or its permissions', async () => {
  const folder = await tempDir()
  const path = (name: string): string => join(folder, name)
  for (const name of ['film.mov', 'notes.txt', 'draft.DOCX', 'photos.zip', 'setup.EXE', 'tool.desktop', 'script'])
    await writeFile(path(name), '')
  await chmod(path('script'), 0o755)
  await mkdir(path('Program.app'))
  for (const name of ['film.mov', 'notes.txt', 'draft.DOCX', 'photos.zip'])
    expect(await wouldRun(path(name)), name).toBe(false)
  for (const name of ['setup.EXE', 'tool.desktop', 'Program.app']) expect(await wouldRun(path(name)), name).toBe(true)
  // What only points to something else is that something, wherever it is.
  for (const name of ['a.settingcontent-ms', 'a.library-ms', 'a.inetloc', 'a.webloc', 'a.appref-ms', 'a.iso', 'a.chm'])
    expect(await wouldRun(path(name)), name).toBe(true)
  // Kinds that only some system runs, that hold macros, or that nobody has heard of yet.
  for (const kind of 'pyz ahk appinstaller msixbundle appx rdp wsb themepack vncloc iqy xlsm docm crx vsix snap flatpak new'.split(
    ' ',
  ))
    expect(await wouldRun(path(`a.${kind}`)), kind).toBe(true)
  for (const name of ['film.mov.', 'film.exe ', 'film']) expect(await wouldRun(path(name)), name).toBe(true)
  if (process.platform !== 'win32') expect(await wouldRun(path('script'))).toBe(true)
})

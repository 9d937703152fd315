import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tempDir } from '../support/tools/temp-dir.ts'
import {
  holdsWhatSystemsLookFor,
  isRootOnLinux,
  PACKAGES,
  run,
  transfersWithoutDisplay,
  usesItsWindow,
} from './support/packages.ts'

describe.runIf(isRootOnLinux)('what an AppImage mounts', () => {
  const folder = PACKAGES.AppDir ?? ''
  const program = join(folder, 'AppRun')

  test('is whole, and has no helper that would need rights', async () => {
    await holdsWhatSystemsLookFor(folder)
    await expect(access(join(folder, 'usr/lib/sluice/chrome-sandbox'))).rejects.toMatchObject({ code: 'ENOENT' })
    await access(join(folder, 'app.sluice.desktop.desktop'))
    await access(join(folder, '.DirIcon'))
  })

  test('starts the program, which uploads a dropped file and verifies it', () => usesItsWindow(program))

  test('has the command line, which needs no display', () => transfersWithoutDisplay(program))

  test('turns no sandbox off for the window', async () => {
    const desktop = await run('grep', ['-c', 'no-sandbox', join(folder, 'app.sluice.desktop.desktop')]).catch(
      (error: unknown) => error as { stdout: string },
    )
    expect(desktop.stdout.trim()).toBe('0')
  })
})

// Its runtime comes from where electron-builder keeps its tools, which not every machine reaches.
describe.runIf(isRootOnLinux && PACKAGES.AppImage != null)('the AppImage', () => {
  test('is one file that starts without FUSE, too', async () => {
    const folder = await tempDir()
    const { stdout } = await run(PACKAGES.AppImage ?? '', ['--version'], {
      APPIMAGE_EXTRACT_AND_RUN: '1',
      TMPDIR: folder,
    })
    expect(stdout).toMatch(/^Sluice \d+\.\d+\.\d+$/m)
  })
})

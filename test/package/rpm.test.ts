import { access, stat } from 'node:fs/promises'
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

describe.runIf(isRootOnLinux && PACKAGES.rpm != null)('the .rpm', () => {
  test('is installed, started, used and removed', async () => {
    const root = await tempDir()
    // Below a folder of its own, with no other package: what it needs is not there, and its scripts have no shell.
    const rpm = (...args: string[]) =>
      run('rpm', ['--root', root, '--nodeps', '--noscripts', '--force-debian', ...args])
    await rpm('--install', PACKAGES.rpm ?? '')
    await holdsWhatSystemsLookFor(root)
    expect((await stat(join(root, 'usr/lib/sluice/chrome-sandbox'))).mode & 0o7777).toBe(0o4755)
    const program = join(root, 'usr', 'bin', 'sluice')
    await usesItsWindow(program)
    await transfersWithoutDisplay(program)
    await rpm('--erase', 'sluice')
    await expect(access(join(root, 'usr', 'lib', 'sluice'))).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(access(program)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('says what removal leaves, and what it needs of the system', async () => {
    const ask = async (what: string) =>
      (await run('rpm', ['--query', `--${what}`, '--package', PACKAGES.rpm ?? ''])).stdout
    expect(await ask('scripts')).toContain('Places, settings and unfinished transfers stay in ~/.config/Sluice')
    expect(await ask('requires')).toContain('(nss or mozilla-nss)')
  })
})

import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onPath } from '../../scripts/lib/child.mjs'
import {
  apt,
  debOfVersion,
  holdsWhatSystemsLookFor,
  install,
  isRootOnLinux,
  PACKAGES,
  run,
  transfersWithoutDisplay,
  usesItsWindow,
} from './support/packages.ts'
import { outlivesUpgrade } from './support/upgrade.ts'

describe.runIf(isRootOnLinux)('the .deb', () => {
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-older-'))
    await install(await debOfVersion(PACKAGES.deb ?? '', '0.0.9', folder))
    await rm(folder, { recursive: true })
  })
  afterAll(() => apt('purge', 'sluice'))

  test('goes on with what the version before had half done', async () => {
    await outlivesUpgrade(async () => {
      const { stdout } = await install(PACKAGES.deb ?? '')
      expect(stdout).not.toContain('is removed')
    })
  })

  test('puts the program on the PATH, into the menu, into shells and manuals', async () => {
    expect((await run('which', ['sluice'])).stdout.trim()).toBe('/usr/bin/sluice')
    await holdsWhatSystemsLookFor('/')
  })

  test('leaves Chromium’s sandbox helper able to do its work', async () => {
    const { mode, uid } = await stat('/usr/lib/sluice/chrome-sandbox')
    expect({ mode: mode & 0o7777, uid }).toEqual({ mode: 0o4755, uid: 0 })
  })

  test('closes the doors that only developers need', async () => {
    const wire = await getCurrentFuseWire('/usr/lib/sluice/sluice')
    const fuses = Object.values(FuseV1Options).filter((fuse) => typeof fuse === 'number')
    const open = fuses.filter((fuse) => String.fromCharCode(wire[fuse] ?? 0) === '1')
    expect(open).toEqual([FuseV1Options.EnableEmbeddedAsarIntegrityValidation, FuseV1Options.OnlyLoadAppFromAsar])
  })

  test('starts the program, which uploads a dropped file and verifies it', () => usesItsWindow('sluice'))

  test('has the command line, which needs no display', () => transfersWithoutDisplay('sluice'))

  test('is gone after its removal, which says what stays', async () => {
    const { stdout } = await apt('remove', 'sluice')
    expect(stdout).toContain('Places, settings and unfinished transfers stay in ~/.config/Sluice')
    const left = await run('find', ['/usr', '-xdev', '-name', '*sluice*'])
    expect(left.stdout).toBe('')
  })
})

describe.runIf(isRootOnLinux)('the .deb tells the system', () => {
  const share = join(PACKAGES.AppDir ?? '', 'usr', 'share')
  const isMissing = (program: string) => !onPath(program)

  test.skipIf(isMissing('desktop-file-validate'))('what desktops take for valid', async () => {
    await run('desktop-file-validate', [join(share, 'applications', 'app.sluice.desktop.desktop')])
  })

  test.skipIf(isMissing('appstreamcli'))('what software centers take for valid', async () => {
    await run('appstreamcli', ['validate', '--no-net', join(share, 'metainfo', 'app.sluice.desktop.metainfo.xml')])
  })
})

import { copyFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ICONS, MAINTAINER, packaging, SUMMARY } from './packaging.mjs'
import { inRoot } from './paths.mjs'
import { step } from './say.mjs'
import { ensurePrograms } from './system-libraries.mjs'

/** Makes this platform's installers with electron-builder, which fetches its own tools. Resolves with their paths. */
export async function makeInstallers(electron) {
  await markTestBuild(false)
  if (process.platform === 'linux') await ensurePrograms({ rpmbuild: 'rpm' }, 'An rpm is made with rpmbuild')
  const { build } = await import('electron-builder')
  return step('Making installers', () => build({ config: packaging(electron), publish: 'never' }))
}

/**
 * Makes a .deb with Debian's own programs only, for machines that electron-builder's tools cannot reach. One for tests
 * can be driven from outside.
 */
export async function makeDeb(electron, { isForTests = false } = {}) {
  await markTestBuild(isForTests)
  await ensurePrograms({ fakeroot: 'fakeroot', 'dpkg-deb': 'dpkg' }, 'A .deb is made with fakeroot and dpkg-deb')
  const folder = await step('Packaging the app', () => packApp(electron))
  const dest = inRoot('dist')
  // The Debian installer takes its copyright file from here.
  await copyFile(inRoot('LICENSE'), join(folder, 'LICENSE'))
  await step('Making the .deb', () => debian(folder, dest))
  const name = (await readdir(dest)).find((file) => file.endsWith('.deb'))
  return join(dest, name)
}

/** The app looks for this mark beside its built files (electron/shell/debugging.ts). */
async function markTestBuild(isTestBuild) {
  const mark = inRoot('out', 'test-build')
  if (isTestBuild) await writeFile(mark, '')
  else await rm(mark, { force: true })
}

async function packApp(electron) {
  await rm(inRoot('dist'), { recursive: true, force: true })
  const { build } = await import('electron-builder')
  await build({ config: packaging(electron), linux: ['dir'], x64: true, publish: 'never' })
  return inRoot('dist', 'linux-unpacked')
}

async function debian(src, dest) {
  const { default: install } = await import('electron-installer-debian')
  return install({
    src,
    dest,
    rename: (folder) => join(folder, 'Sluice-<%= version %>-linux-<%= arch %>.deb'),
    options: {
      name: 'sluice',
      bin: 'sluice',
      arch: 'amd64',
      productName: 'Sluice',
      genericName: 'File transfer',
      description: SUMMARY,
      maintainer: MAINTAINER,
      section: 'net',
      categories: ['Network', 'FileTransfer'],
      icon: ICONS,
      desktopTemplate: inRoot('scripts', 'assets', 'sluice.desktop.ejs'),
      // What Electron is linked with or opens by name, beyond the list of the installer.
      depends: ['libasound2t64 | libasound2', 'libsecret-1-0', 'libx11-xcb1'],
      compression: 'zstd',
    },
  })
}

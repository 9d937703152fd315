import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { appDir } from './app-image/app-image.mjs'
import { LINUX_PACKAGES, makeLinuxPackage } from './linux-packages.mjs'
import { layOutTree } from './linux-tree.mjs'
import { packaging } from './packaging.mjs'
import { signsForMac, withSigning } from './signing.mjs'
import { updateBuild } from './update-lists.mjs'
import { inRoot } from '../lib/paths.mjs'
import { step } from '../lib/say.mjs'

const INSTALLER = /\.(exe|dmg|zip|deb|rpm|AppImage)$/

/**
 * Makes this platform's installers in dist/. On Linux, programs of the system make them from one tree, and any that
 * can't be made here are named and left out. Resolves with their paths.
 */
export async function makeInstallers(electron, kinds = Object.keys(LINUX_PACKAGES)) {
  await markTestBuild(false)
  await markUpdates(process.env)
  if (process.platform !== 'linux') {
    const folder = inRoot('dist')
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    await step('Making installers', () => build({ config: packaging(electron), publish: 'never' }))
    return (await readdir(folder)).filter((file) => INSTALLER.test(file)).map((file) => join(folder, file))
  }
  const tree = await packForLinux(electron)
  const made = []
  for (const kind of kinds)
    made.push(await step(`Making the ${kind}`, () => makeLinuxPackage(kind, tree, { electron, isQuick: false })))
  return made.filter((file) => file !== null)
}

/**
 * Makes the packages that the tests of installers install: the same ones, packed less tightly, that can be driven from
 * outside. Resolves with the path of each, and of the AppImage's folder; null if a package can't be made here.
 */
export async function makePackagesForTests(electron) {
  await markTestBuild(true)
  await markUpdates({})
  const tree = await packForLinux(electron)
  const paths = { AppDir: await appDir(tree) }
  for (const kind of Object.keys(LINUX_PACKAGES))
    paths[kind] = await step(`Making the ${kind}`, () => makeLinuxPackage(kind, tree, { electron, isQuick: true }))
  await markTestBuild(false)
  return paths
}

/** Packs the app as for a release. Resolves with its folder. Linux only. */
export async function packForRelease(electron) {
  await markTestBuild(false)
  await markUpdates({})
  return join(await packForLinux(electron), 'usr', 'lib', 'sluice')
}

/** Sets or removes the mark that the app looks for beside its built files (electron/shell/debugging.ts). */
async function markTestBuild(isTestBuild) {
  const mark = inRoot('out', 'test-build')
  if (isTestBuild) await writeFile(mark, '')
  else await rm(mark, { force: true })
}

/** Writes the update settings into the archive, which the system verifies, so that no loose file can change them. */
async function markUpdates(environment) {
  const build = updateBuild(environment, { replacesItself: process.platform !== 'darwin' || signsForMac(environment) })
  const path = inRoot('out', 'updates.json')
  if (build === null) await rm(path, { force: true })
  else await writeFile(path, JSON.stringify(build))
}

async function packForLinux(electron) {
  await rm(inRoot('dist'), { recursive: true, force: true })
  await step('Packaging the app', () =>
    build({ config: packaging(electron), linux: ['dir'], x64: true, publish: 'never' }),
  )
  const tree = inRoot('dist', 'tree')
  await layOutTree(inRoot('dist', 'linux-unpacked'), tree)
  return tree
}

async function build(options) {
  const builder = await import('electron-builder')
  return withSigning(process.env, () => builder.build(options))
}

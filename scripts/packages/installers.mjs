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
 * Makes this platform's installers in dist/. Those of Linux come from one tree, by programs of the system; what can't be
 * made here is left out by name. Resolves with their paths.
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
 * Makes what the tests of installers install: the same packages, packed less tightly, that can be driven from outside.
 * Resolves with the path of each, and of the AppImage's folder; null where a package can't be made here.
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

/** Packs the app as it is released. Resolves with its folder. Linux only. */
export async function packForRelease(electron) {
  await markTestBuild(false)
  await markUpdates({})
  return join(await packForLinux(electron), 'usr', 'lib', 'sluice')
}

/** The app looks for this mark beside its built files (electron/shell/debugging.ts). */
async function markTestBuild(isTestBuild) {
  const mark = inRoot('out', 'test-build')
  if (isTestBuild) await writeFile(mark, '')
  else await rm(mark, { force: true })
}

/** Inside the archive, where the system checks it: no file beside it says whom to ask or whose signature counts. */
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

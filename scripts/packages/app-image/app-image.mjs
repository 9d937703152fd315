import { chmod, cp, mkdir, open, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HELPER } from '../linux-tree.mjs'
import { APP_ID } from '../packaging.mjs'
import { runDated } from '../source-date.mjs'
import { inRoot } from '../../lib/paths.mjs'
import { compileRuntime, noticesOfRuntime } from './runtime.mjs'

/** Makes an AppImage: one file, `target`, with a program that mounts the archive of the tree that follows it. */
export async function makeAppImage(tree, target, { version, isQuick }) {
  const runtime = await compileRuntime(version)
  const folder = await appDir(tree)
  await writeFile(join(folder, 'usr', 'share', 'doc', 'sluice', 'runtime.txt'), await noticesOfRuntime())
  // Larger blocks pack a little tighter, but double the start time: to read one page, a whole block is unpacked.
  const packing = ['-comp', 'zstd', '-Xcompression-level', isQuick ? '1' : '19', '-b', '256K']
  const plain = ['-all-root', '-noappend', '-no-progress', '-quiet', '-no-xattrs', '-offset', String(runtime.length)]
  await runDated('mksquashfs', [folder, target, ...plain, ...packing])
  const file = await open(target, 'r+')
  try {
    await file.write(runtime, 0, runtime.length, 0)
  } finally {
    await file.close()
  }
  await chmod(target, 0o755)
}

/** Lays out what an AppImage mounts: the tree, and the files that start it. Resolves with the folder. */
export async function appDir(tree) {
  const folder = inRoot('dist', 'AppDir')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await runDated('cp', ['-al', join(tree, 'usr'), join(folder, 'usr')])
  // Useless without rights that nothing in an AppImage can have. If it were there, Chromium would fail.
  await rm(join(folder, HELPER))
  await cp(inRoot('scripts', 'assets', 'linux', 'AppRun'), join(folder, 'AppRun'))
  await symlink(`usr/share/applications/${APP_ID}.desktop`, join(folder, `${APP_ID}.desktop`))
  await symlink(`usr/share/icons/hicolor/256x256/apps/${APP_ID}.png`, join(folder, `${APP_ID}.png`))
  await symlink(`${APP_ID}.png`, join(folder, '.DirIcon'))
  return folder
}

import { chmod, cp, lstat, lutimes, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { capture } from '../lib/child.mjs'
import { githubAnswers } from '../lib/electron/electron.mjs'
import { HELPER, HELPER_MODE } from './linux-tree.mjs'
import { sourceDate } from './source-date.mjs'
import { APP_ID, MAINTAINER, markOf, SUMMARY } from './packaging.mjs'
import { inRoot } from '../lib/paths.mjs'
import { Failure, say } from '../lib/say.mjs'
import { packageFacts } from '../lib/shipped.mjs'
import { ensurePrograms } from '../lib/electron/system-libraries.mjs'

/** In lines that fit a terminal. */
const DESCRIPTION = [
  'Uploads in parts and downloads in ranges that survive crashes, lost networks',
  'and restarts, and are checked at their end.',
]

/** What Electron is linked with or opens by name, as Debian's packages. */
const DEBIAN_NEEDS = [
  ...['libc6', 'libgtk-3-0t64 | libgtk-3-0', 'libnotify4', 'libnss3', 'xdg-utils', 'libatspi2.0-0t64 | libatspi2.0-0'],
  ...['libdrm2', 'libgbm1', 'libxcb-dri3-0', 'libasound2t64 | libasound2', 'libsecret-1-0', 'libx11-xcb1'],
]

/** The same as rpm has them: Fedora's name, or else openSUSE's. */
const RPM_NEEDS = [
  ...['gtk3', '(libnotify or libnotify4)', '(nss or mozilla-nss)', 'xdg-utils', 'at-spi2-core'],
  ...['(libdrm or libdrm2)', '(mesa-libgbm or libgbm1)', '(libxcb or libxcb-dri3-0)', '(alsa-lib or libasound2)'],
  ...['(libsecret or libsecret-1-0)', '(libX11-xcb or libX11-xcb1)'],
]

/**
 * The packages of Linux, each from the same tree. `make(tree, target, job)` writes the package to `target`; a `job` has
 * the version and `isQuick`, which packs less tightly. What a package needs beside `programs` is looked for by `prepare`.
 */
export const LINUX_PACKAGES = {
  deb: { arch: 'amd64', programs: { 'dpkg-deb': 'dpkg' }, make: makeDeb },
  rpm: { arch: 'x86_64', programs: { rpmbuild: 'rpm' }, make: makeRpm },
  AppImage: {
    ...{ arch: 'x86_64', programs: { mksquashfs: 'squashfs-tools' }, make: makeAppImage },
    prepare: appImageRuntime,
  },
}

/**
 * Makes one of them in dist/. Resolves with its path; with null, after saying why, where what it takes is not to be had
 * here.
 */
export async function makeLinuxPackage(kind, tree, { electron, isQuick }) {
  const { arch, programs, prepare, make } = LINUX_PACKAGES[kind]
  const { version } = packageFacts()
  const target = inRoot('dist', `Sluice-${version}${markOf(electron.version)}-linux-${arch}.${kind}`)
  try {
    await prepare?.()
    await ensurePrograms(programs, `The ${kind} is made with ${Object.keys(programs).join(' and ')}`)
    await rm(target, { force: true })
    await dateTree(tree, await sourceDate())
    await make(tree, target, { version, isQuick })
    return target
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    say(`Left out: ${kind}. ${error.message}`)
    return null
  }
}

async function makeDeb(tree, target, { version, isQuick }) {
  const control = join(tree, 'DEBIAN')
  await mkdir(control, { recursive: true })
  await chmod(join(tree, HELPER), HELPER_MODE)
  await writeFile(join(control, 'control'), controlOf(version, await sizeKiBOf(join(tree, 'usr'))))
  await cp(inRoot('scripts', 'assets', 'linux', 'removed'), join(control, 'postrm'))
  const packing = isQuick ? ['-Zzstd', '-z1'] : ['-Zxz', '-z6'] // Debian 11 knows no zstd
  try {
    await must('dpkg-deb', ['--root-owner-group', ...packing, '--build', tree, target])
  } finally {
    await rm(control, { recursive: true })
  }
}

/** What dpkg is told of a package; `sizeKiB` is that of its files. Pure. */
export function controlOf(version, sizeKiB) {
  return `Package: sluice
Version: ${version.replace('-', '~')}
Architecture: amd64
Maintainer: ${MAINTAINER}
Installed-Size: ${sizeKiB}
Depends: ${DEBIAN_NEEDS.join(', ')}
Recommends: gnome-keyring | kwalletmanager
Section: net
Priority: optional
Description: ${SUMMARY}
 ${DESCRIPTION.join('\n ')}
`
}

/** Of the files alone: how large a folder is differs from volume to volume. */
async function sizeKiBOf(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const sizes = await Promise.all(files.map(async (file) => (await lstat(file)).size))
  return Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / 1024)
}

async function makeRpm(tree, target, { version, isQuick }) {
  const work = inRoot('dist', '.rpm')
  await rm(work, { recursive: true, force: true })
  await mkdir(work, { recursive: true })
  await chmod(join(tree, HELPER), HELPER_MODE)
  const removed = await readFile(inRoot('scripts', 'assets', 'linux', 'removed'), 'utf8')
  await writeFile(join(work, 'sluice.spec'), specOf(version, { tree, removed, isQuick }))
  await must('rpmbuild', ['-bb', '--quiet', '--define', `_topdir ${work}`, join(work, 'sluice.spec')])
  await rename(join(work, 'RPMS', 'x86_64', `sluice-${rpmVersion(version)}-1.x86_64.rpm`), target)
  await rm(work, { recursive: true })
}

function rpmVersion(version) {
  return version.replace('-', '~')
}

/** How rpm packs `tree`. Its own steps on programs are left out: Chromium's are as they have to be. Pure. */
export function specOf(version, { tree, removed, isQuick }) {
  return `%define _binary_payload w${isQuick ? 1 : 15}.zstdio
%define __os_install_post %{nil}
%define debug_package %{nil}
%define _build_id_links none
%define use_source_date_epoch_as_buildtime 1
%define clamp_mtime_to_source_date_epoch 1
%define _buildhost reproducible
Name: sluice
Version: ${rpmVersion(version)}
Release: 1
Summary: ${SUMMARY}
License: MIT
Requires: ${RPM_NEEDS.join(', ')}
AutoReqProv: no

%description
${DESCRIPTION.join('\n')}

%install
mkdir -p %{buildroot}
cp -al "${tree}/usr" %{buildroot}/usr

%postun
${removed.slice(removed.indexOf('\n') + 1)}
%files
%defattr(-,root,root)
/usr/bin/sluice
/usr/lib/sluice
%attr(${HELPER_MODE.toString(8)},root,root) /${HELPER}
/usr/share/applications/${APP_ID}.desktop
/usr/share/bash-completion/completions/sluice
/usr/share/doc/sluice
/usr/share/fish/vendor_completions.d/sluice.fish
/usr/share/icons/hicolor/*/apps/${APP_ID}.png
/usr/share/man/man1/sluice.1.gz
/usr/share/metainfo/${APP_ID}.metainfo.xml
/usr/share/zsh/vendor-completions/_sluice
`
}

/**
 * The tree behind a program that mounts it. That program is electron-builder's, which links nothing of the system; it
 * comes from where electron-builder keeps its tools.
 */
async function makeAppImage(tree, target, { isQuick }) {
  const runtime = await readFile(await appImageRuntime())
  const folder = await appDir(tree)
  const packing = ['-comp', 'zstd', '-Xcompression-level', isQuick ? '1' : '19', '-b', '1M']
  const plain = ['-all-root', '-noappend', '-no-progress', '-quiet', '-no-xattrs', '-offset', String(runtime.length)]
  await must('mksquashfs', [folder, target, ...plain, ...packing])
  await must('dd', [`if=${await appImageRuntime()}`, `of=${target}`, 'conv=notrunc'])
  await chmod(target, 0o755)
}

/** Lays out what an AppImage mounts: the tree, with what starts it beside. Resolves with the folder. */
export async function appDir(tree) {
  const folder = inRoot('dist', 'AppDir')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await must('cp', ['-al', join(tree, 'usr'), join(folder, 'usr')])
  // Of no use without rights that nothing in an AppImage can have, and Chromium would rather fail than do without it.
  await rm(join(folder, HELPER))
  await cp(inRoot('scripts', 'assets', 'linux', 'AppRun'), join(folder, 'AppRun'))
  await symlink(`usr/share/applications/${APP_ID}.desktop`, join(folder, `${APP_ID}.desktop`))
  await symlink(`usr/share/icons/hicolor/256x256/apps/${APP_ID}.png`, join(folder, `${APP_ID}.png`))
  await symlink(`${APP_ID}.png`, join(folder, '.DirIcon'))
  return folder
}

async function appImageRuntime() {
  if (!process.env.APPIMAGE_TOOLS_PATH && !(await githubAnswers()))
    throw new Failure('Its static runtime comes from GitHub, which does not answer, or from APPIMAGE_TOOLS_PATH.')
  const load = createRequire(createRequire(import.meta.url).resolve('electron-builder'))
  const { Arch } = load('builder-util')
  const { getAppImageTools } = load('app-builder-lib/out/toolsets/linux')
  return (await getAppImageTools('1.0.3', Arch.x64)).runtime
}

/** Gives all below `tree` one time. */
export async function dateTree(tree, date) {
  const entries = await readdir(tree, { recursive: true, withFileTypes: true })
  for (const entry of entries) await lutimes(join(entry.parentPath, entry.name), date, date)
  await lutimes(tree, date, date)
}

/** Packers date what they write themselves by the environment. */
async function must(program, args) {
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(await sourceDate()) }
  const result = await capture(program, args, { env })
  if (result.code !== 0) throw new Error(`${program} failed:\n${result.output}`)
  return result
}

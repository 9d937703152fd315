import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeAppImage } from './app-image/app-image.mjs'
import { RUNTIME_NEEDS } from './app-image/runtime.mjs'
import { HELPER, HELPER_MODE } from './linux-tree.mjs'
import { dateTree, runDated } from './source-date.mjs'
import { APP_ID, installerName, MAINTAINER, SUMMARY } from './packaging.mjs'
import { inRoot } from '../lib/paths.mjs'
import { Failure, say } from '../lib/say.mjs'
import { packageFacts } from '../lib/shipped.mjs'
import { ensurePrograms } from '../lib/electron/system-libraries.mjs'

/** The description, in lines that fit a terminal. */
const DESCRIPTION = [
  'Uploads in parts and downloads in ranges that survive crashes, lost networks',
  'and restarts, and are checked at their end.',
]

/** The Debian packages of libraries that Electron is linked with or opens by name. */
const DEBIAN_NEEDS = [
  ...['libc6', 'libgtk-3-0t64 | libgtk-3-0', 'libnotify4', 'libnss3', 'xdg-utils', 'libatspi2.0-0t64 | libatspi2.0-0'],
  ...['libdrm2', 'libgbm1', 'libxcb-dri3-0', 'libasound2t64 | libasound2', 'libsecret-1-0', 'libx11-xcb1'],
]

/** The same for rpm: Fedora's name, or else openSUSE's. */
const RPM_NEEDS = [
  ...['gtk3', '(libnotify or libnotify4)', '(nss or mozilla-nss)', 'xdg-utils', 'at-spi2-core'],
  ...['(libdrm or libdrm2)', '(mesa-libgbm or libgbm1)', '(libxcb or libxcb-dri3-0)', '(alsa-lib or libasound2)'],
  ...['(libsecret or libsecret-1-0)', '(libX11-xcb or libX11-xcb1)'],
]

/**
 * The packages for Linux, all made from the same tree. `make(tree, target, job)` writes the package to `target`; `job`
 * has the version, and `isQuick` for packing less tightly. `needs` gives the Debian package of each program, or of each
 * file by its full path, that this takes.
 */
export const LINUX_PACKAGES = {
  deb: { arch: 'amd64', needs: { 'dpkg-deb': 'dpkg' }, make: makeDeb },
  rpm: { arch: 'x86_64', needs: { rpmbuild: 'rpm' }, make: makeRpm },
  AppImage: { arch: 'x86_64', needs: { mksquashfs: 'squashfs-tools', ...RUNTIME_NEEDS }, make: makeAppImage },
}

/**
 * Makes one of them in dist/. Resolves with its path, or with null, after saying why, if what it needs isn't available
 * here.
 */
export async function makeLinuxPackage(kind, tree, { electron, isQuick }) {
  const { arch, needs, make } = LINUX_PACKAGES[kind]
  const { version } = packageFacts()
  const target = inRoot('dist', installerName(version, { electron, os: 'linux', arch, ext: kind }))
  try {
    await ensurePrograms(needs, `The ${kind} is made with ${Object.values(needs).join(', ')}`)
    await rm(target, { force: true })
    await dateTree(tree)
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
    await runDated('dpkg-deb', ['--root-owner-group', ...packing, '--build', tree, target])
  } finally {
    await rm(control, { recursive: true })
  }
}

/** The control file of a .deb; `sizeKiB` is the size of its files. Pure. */
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

/** The size of the files alone, because the size of folders differs between file systems. */
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
  await runDated('rpmbuild', ['-bb', '--quiet', '--define', `_topdir ${work}`, join(work, 'sluice.spec')])
  await rename(join(work, 'RPMS', 'x86_64', `sluice-${rpmVersion(version)}-1.x86_64.rpm`), target)
  await rm(work, { recursive: true })
}

function rpmVersion(version) {
  return version.replace('-', '~')
}

/** The spec file by which rpm packs `tree`. It skips rpm's processing of binaries: Chromium's must stay as is. Pure. */
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

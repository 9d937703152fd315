import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { inRoot } from './paths.mjs'

const assets = (name) => inRoot('scripts', 'assets', name)

export const SUMMARY = 'Moves big files in and out of object storage'
/** Packages must name somebody to write to; the project has no address yet, and this domain can never be one. */
export const MAINTAINER = 'The Sluice authors <authors@sluice.invalid>'
/** Debian's names of the icon sizes. */
export const ICONS = Object.fromEntries(
  ['16x16', '32x32', '48x48', '64x64', '128x128', '256x256', '512x512'].map((size) => [
    size,
    assets(`icons/${size}.png`),
  ]),
)

/** What electron-builder is told; `electron` is the one found for development, so nothing is fetched twice. */
export function packaging(electron) {
  return {
    appId: 'app.sluice.desktop',
    productName: 'Sluice',
    copyright: 'Copyright © 2026 The Sluice authors',
    electronVersion: electron.version,
    electronDist: electron.folder,
    electronLanguages: ['en-US', 'en-GB'],
    electronFuses: fuses,
    protocols: [{ name: 'Sluice link', schemes: ['sluice'] }],
    npmRebuild: false, // libsql ships binaries for every Electron
    directories: { output: inRoot('dist'), buildResources: inRoot('scripts', 'assets') },
    files: [
      'out/**',
      '!out/{.sources,cli.js}',
      'package.json',
      '!**/*.{d.ts,d.ts.map,md,map}',
      '!**/@libsql/*-musl/**',
    ],
    // Real files, because the system loads them. Everything else stays where Electron checks it.
    asarUnpack: ['**/*.node'],
    afterPack: ({ appOutDir, packager }) =>
      rm(join(packager.getResourcesDir(appOutDir), 'default_app.asar'), { force: true }),
    extraMetadata: {
      homepage: 'https://sluice.invalid',
      desktopName: 'sluice.desktop',
    },
    artifactName: '${productName}-${version}-${os}-${arch}.${ext}',
    publish: null,
    linux: {
      target: ['AppImage', 'deb', 'rpm'],
      executableName: 'sluice',
      icon: assets('icons'),
      category: 'Network',
      synopsis: SUMMARY,
      maintainer: MAINTAINER,
      desktop: {
        entry: { StartupWMClass: 'Sluice', Categories: 'Network;FileTransfer;', Keywords: 'S3;upload;download;' },
      },
    },
    mac: { target: ['dmg'], icon: assets('icon.icns'), category: 'public.app-category.productivity' },
    win: { target: ['nsis'], icon: assets('icon.ico') },
    nsis: { oneClick: false, perMachine: false, allowToChangeInstallationDirectory: true },
  }
}

/** Doors of Electron that what ships does not need. */
const fuses = {
  runAsNode: false,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  enableCookieEncryption: true,
  enableEmbeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true,
  grantFileProtocolExtraPrivileges: false,
  loadBrowserProcessSpecificV8Snapshot: false,
}

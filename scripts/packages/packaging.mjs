import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { inRoot } from '../lib/paths.mjs'
import { isSupportedElectron } from '../lib/shipped.mjs'
import { signsForMac, signsForWindows } from './signing.mjs'

export const APP_ID = 'app.sluice.desktop'
export const SUMMARY = 'Moves big files in and out of object storage'
/** Packages must name a contact address. The project has none yet, and this domain can never exist. */
export const MAINTAINER = 'The Sluice authors <authors@sluice.invalid>'

/**
 * The configuration of electron-builder. `electron` is the one found for development, so that nothing is fetched twice.
 * It makes the app's folder on all three systems, and from that the installers for macOS and Windows;
 * `linux-packages.mjs` makes those for Linux. `environment` tells whether there is a certificate to sign with.
 */
export function packaging(electron, environment = process.env) {
  return {
    appId: APP_ID,
    productName: 'Sluice',
    copyright: 'Copyright © 2026 The Sluice authors',
    electronVersion: electron.version,
    electronDist: electron.folder,
    electronLanguages: ['en-US', 'en-GB', 'zh-CN'],
    electronFuses: fuses,
    protocols: [{ name: 'Sluice link', schemes: ['sluice'] }],
    npmRebuild: false, // libsql ships binaries for every Electron
    directories: { output: inRoot('dist'), buildResources: assets() },
    files: [
      'out/**',
      '!out/{.sources,cli.js,third-party.*}',
      'package.json',
      '!**/*.{d.ts,d.ts.map,md,map}',
      '!**/@libsql/*-musl/**',
    ],
    extraResources: [
      { from: inRoot('LICENSE'), to: 'LICENSE.txt' },
      { from: inRoot('out', 'third-party.txt'), to: 'third-party.txt' },
    ],
    // Native modules are real files: the system loads them. All else stays in the archive, which Electron verifies.
    asar: { smartUnpack: false },
    asarUnpack: ['**/*.node'],
    afterPack: ({ appOutDir, packager }) =>
      rm(join(packager.getResourcesDir(appOutDir), 'default_app.asar'), { force: true, maxRetries: 5 }),
    extraMetadata: { homepage: 'https://sluice.invalid', desktopName: `${APP_ID}.desktop` },
    artifactName: installerName('${version}', { electron, os: '${os}', arch: '${arch}', ext: '${ext}' }),
    publish: null,
    linux: { target: ['dir'], executableName: 'sluice', icon: assets('icons') },
    mac: mac(environment),
    dmg: { title: '${productName} ${version}' },
    win: {
      target: ['nsis'],
      icon: assets('icon.ico'),
      forceCodeSigning: signsForWindows(environment),
      extraFiles: [{ from: assets('windows', 'sluice.cmd'), to: 'resources/bin/sluice.cmd' }],
    },
    nsis: {
      oneClick: false,
      perMachine: false,
      allowToChangeInstallationDirectory: true,
      license: inRoot('LICENSE'),
      include: assets('windows', 'installer.nsh'),
      deleteAppDataOnUninstall: false,
    },
    // Its older tools contain symbolic links, which only administrators can create on Windows.
    toolsets: { winCodeSign: '1.1.0' },
  }
}

/** The name of an installer; without `electron`, of one that can be released. Pure. */
export function installerName(version, { electron, os, arch, ext }) {
  return `Sluice-${version}${electron ? markOf(electron.version) : ''}-${os}-${arch}.${ext}`
}

/** The mark in an installer's name for an Electron without security updates, which must not be released. */
function markOf(version) {
  return isSupportedElectron(version) ? '' : `-electron${version.split('.')[0]}`
}

function assets(...parts) {
  return inRoot('scripts', 'assets', ...parts)
}

/**
 * On Apple's processors, an app without a signature, or with one that the fuses have broken, is killed at its start, so
 * without a certificate it is signed ad hoc. Libraries must come from the signer's team only if there is a signer.
 */
function mac(environment) {
  const hasCertificate = signsForMac(environment)
  return {
    // For the machine's own processor, like libsql's binary; there is a runner for each.
    target: ['dmg', 'zip'],
    icon: assets('icon.icns'),
    category: 'public.app-category.productivity',
    minimumSystemVersion: '13.0',
    // Apple doesn't notarize apps that are signed ad hoc.
    ...(hasCertificate ? {} : { identity: '-', notarize: false }),
    forceCodeSigning: hasCertificate,
    hardenedRuntime: hasCertificate,
    entitlements: assets('mac', 'entitlements.plist'),
    entitlementsInherit: assets('mac', 'entitlements.plist'),
    extendInfo: macReasons,
    extraFiles: [{ from: assets('mac', 'sluice'), to: 'Resources/bin/sluice' }],
    // Offered under "Open With"; the default app for such files stays the same.
    fileAssociations: [
      { ext: 'part', name: 'Partial download', role: 'Editor', rank: 'Alternate' },
      { ext: 'json', name: 'Parts list', role: 'Viewer', rank: 'Alternate' },
    ],
  }
}

/** What macOS shows when it asks for permission. Without the first, servers in the local network are out of reach. */
const macReasons = {
  NSLocalNetworkUsageDescription: 'Sluice transfers files to and from storage servers in your own network.',
  NSDesktopFolderUsageDescription: 'Sluice uploads files from here, and saves downloads here, when you choose so.',
  NSDocumentsFolderUsageDescription: 'Sluice uploads files from here, and saves downloads here, when you choose so.',
  NSDownloadsFolderUsageDescription: 'Sluice saves what you download here.',
  NSRemovableVolumesUsageDescription: 'Sluice transfers files from and to disks that you choose.',
  NSNetworkVolumesUsageDescription: 'Sluice transfers files from and to shared folders that you choose.',
}

/**
 * Turns off features of Electron that the released app does not need. Cookies are not encrypted, because there are
 * none: the page's session is in memory and has no network, and macOS would ask for the keychain at each start.
 * Flipping fuses breaks the signature of Electron's program for Apple's processors, so it gets a new one.
 */
const fuses = {
  runAsNode: false,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  enableCookieEncryption: false,
  enableEmbeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true,
  grantFileProtocolExtraPrivileges: false,
  loadBrowserProcessSpecificV8Snapshot: false,
  resetAdHocDarwinSignature: true,
}

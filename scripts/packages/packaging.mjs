import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { inRoot } from '../lib/paths.mjs'
import { isSupportedElectron } from '../lib/shipped.mjs'
import { signsForMac, signsForWindows } from './signing.mjs'

export const APP_ID = 'app.sluice.desktop'
export const SUMMARY = 'Moves big files in and out of object storage'
/** Packages must name an address to write to; the project has no address yet, and this domain can never be one. */
export const MAINTAINER = 'The Sluice authors <authors@sluice.invalid>'

/**
 * What electron-builder is told; `electron` is the one found for development, so nothing is fetched twice. It makes the
 * folder of the app for all three systems, and the installers of macOS and Windows from it; `linux-packages.mjs` makes
 * Linux's. `environment` tells whether there is a certificate to sign with.
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
    // Real files, because the system loads them. Everything else stays where Electron checks it.
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
    // Its older tools hold symbolic links, which Windows lets only administrators make.
    toolsets: { winCodeSign: '1.1.0' },
  }
}

/** The name of an installer; without `electron`, of one that may be released. Pure. */
export function installerName(version, { electron, os, arch, ext }) {
  return `Sluice-${version}${electron ? markOf(electron.version) : ''}-${os}-${arch}.${ext}`
}

/** What an installer's name says of an Electron that gets no security updates any more: such a one is no release. */
function markOf(version) {
  return isSupportedElectron(version) ? '' : `-electron${version.split('.')[0]}`
}

function assets(...parts) {
  return inRoot('scripts', 'assets', ...parts)
}

/**
 * An app with no signature at all, or one that the fuses have broken, is killed at its start on Apple's processors:
 * without a certificate it is signed by nobody in particular. Libraries are held to the signer's team only where there
 * is one.
 */
function mac(environment) {
  const hasCertificate = signsForMac(environment)
  return {
    // Of the machine's own processor, like libsql's binary: there is a runner for each.
    target: ['dmg', 'zip'],
    icon: assets('icon.icns'),
    category: 'public.app-category.productivity',
    minimumSystemVersion: '13.0',
    // Apple notarizes nothing that is signed by nobody in particular.
    ...(hasCertificate ? {} : { identity: '-', notarize: false }),
    forceCodeSigning: hasCertificate,
    hardenedRuntime: hasCertificate,
    entitlements: assets('mac', 'entitlements.plist'),
    entitlementsInherit: assets('mac', 'entitlements.plist'),
    extendInfo: macReasons,
    extraFiles: [{ from: assets('mac', 'sluice'), to: 'Resources/bin/sluice' }],
    // Offered by "Open With"; what opens such files stays what it is.
    fileAssociations: [
      { ext: 'part', name: 'Partial download', role: 'Editor', rank: 'Alternate' },
      { ext: 'json', name: 'Parts list', role: 'Viewer', rank: 'Alternate' },
    ],
  }
}

/** What macOS shows where it asks whether Sluice may. Without the first, servers of the own network are out of reach. */
const macReasons = {
  NSLocalNetworkUsageDescription: 'Sluice transfers files to and from storage servers in your own network.',
  NSDesktopFolderUsageDescription: 'Sluice uploads files from here, and saves downloads here, when you choose so.',
  NSDocumentsFolderUsageDescription: 'Sluice uploads files from here, and saves downloads here, when you choose so.',
  NSDownloadsFolderUsageDescription: 'Sluice saves what you download here.',
  NSRemovableVolumesUsageDescription: 'Sluice transfers files from and to disks that you choose.',
  NSNetworkVolumesUsageDescription: 'Sluice transfers files from and to shared folders that you choose.',
}

/**
 * Doors of Electron that what ships does not need. Cookies are not encrypted, because there are none: the page's session
 * is in memory and has no network, and macOS would ask for the keychain at each start. Flipping the switches breaks the
 * signature that Electron's program for Apple's processors comes with, hence a new one.
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

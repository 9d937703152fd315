import { generateKeyPairSync } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { COMMAND_LIST } from '../../electron/cli/manual/option-table.ts'
import { notesOf, released, releasesOf } from '../../scripts/packages/changelog.mjs'
import { ICNS_TYPES } from '../../scripts/packages/apple-icon.mjs'
import { controlOf, LINUX_PACKAGES, specOf } from '../../scripts/packages/linux-packages.mjs'
import { withReleases } from '../../scripts/packages/linux-tree.mjs'
import { packaging } from '../../scripts/packages/packaging.mjs'
import { dateTree } from '../../scripts/packages/source-date.mjs'
import { updateBuild, updateLists } from '../../scripts/packages/update-lists.mjs'
import { readUpdateList, updateKey } from '../../electron/services/updates/update-list.ts'
import { tempDir } from '../support/tools/temp-dir.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const asset = (...parts: string[]) => readFileSync(join(ROOT, 'scripts', 'assets', ...parts), 'utf8')
const electron = { version: '45.4.1', folder: '/electron' }

describe('what electron-builder is told', () => {
  it('opens no door of Electron that what ships does not need', () => {
    expect(packaging(electron, {}).electronFuses).toEqual({
      runAsNode: false,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableCookieEncryption: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      grantFileProtocolExtraPrivileges: false,
      loadBrowserProcessSpecificV8Snapshot: false,
      resetAdHocDarwinSignature: true,
    })
  })

  it.each([
    ['45.4.1', 'Sluice-${version}-${os}-${arch}.${ext}'],
    ['33.2.1', 'Sluice-${version}-electron33-${os}-${arch}.${ext}'],
  ])('names an installer with Electron %s %s', (version, name) => {
    expect(packaging({ ...electron, version }, {}).artifactName).toBe(name)
  })

  it('signs for macOS by nobody in particular where there is no certificate', () => {
    expect(packaging(electron, {}).mac).toMatchObject({ identity: '-', hardenedRuntime: false, notarize: false })
    const signed = packaging(electron, { CSC_LINK: 'file.p12' }).mac
    expect(signed).toMatchObject({ hardenedRuntime: true })
    expect(signed).not.toHaveProperty('identity')
    expect(signed).not.toHaveProperty('notarize')
  })

  it.each([
    ['none', { CSC_LINK: '', WIN_CSC_LINK: '' }, { mac: false, win: false }],
    ['one of the keychain', { CSC_NAME: 'The Sluice authors' }, { mac: true, win: false }],
    ['one for Windows', { WIN_CSC_LINK: 'file.p12' }, { mac: false, win: true }],
    ['one for both', { CSC_LINK: 'file.p12' }, { mac: true, win: true }],
  ])('makes no unsigned installer where there is a certificate: %s', (_which, environment, forced) => {
    const { mac, win } = packaging(electron, environment)
    expect({ mac: mac.forceCodeSigning, win: win.forceCodeSigning }).toEqual(forced)
  })

  it('asks macOS for what it needs, with a reason that a person reads', () => {
    const { extendInfo, target, minimumSystemVersion } = packaging(electron, {}).mac
    expect(Object.keys(extendInfo)).toEqual([
      'NSLocalNetworkUsageDescription',
      'NSDesktopFolderUsageDescription',
      'NSDocumentsFolderUsageDescription',
      'NSDownloadsFolderUsageDescription',
      'NSRemovableVolumesUsageDescription',
      'NSNetworkVolumesUsageDescription',
    ])
    for (const reason of Object.values(extendInfo)) expect(reason).toMatch(/^Sluice .+\.$/)
    expect({ target, minimumSystemVersion }).toEqual({ target: ['dmg', 'zip'], minimumSystemVersion: '13.0' })
  })

  it('gives macOS programs one right only: to compile', () => {
    expect([...asset('mac', 'entitlements.plist').matchAll(/<key>(.*)<\/key>/g)].map(([, key]) => key)).toEqual([
      'com.apple.security.cs.allow-jit',
    ])
  })

  it('offers to open files, and takes them from no other program', () => {
    expect(packaging(electron, {}).mac.fileAssociations.map(({ ext, rank }) => [ext, rank])).toEqual([
      ['part', 'Alternate'],
      ['json', 'Alternate'],
    ])
    const nsis = asset('windows', 'installer.nsh')
    expect(nsis).toMatch(/\.part\\OpenWithProgids/)
    expect(nsis).not.toMatch(/Classes\\\.(part|json)" ""/)
  })

  it('leaves a person’s data on Windows, takes sluice:// away, and says so', () => {
    const { nsis } = packaging(electron, {})
    expect(nsis).toMatchObject({ oneClick: false, perMachine: false, deleteAppDataOnUninstall: false })
    const [, removal = ''] = asset('windows', 'installer.nsh').split('!macro customUnInstall')
    expect(removal).toMatch(/ifNot.*isUpdated/)
    expect(removal).toContain('DeleteRegKey HKCU "Software\\Classes\\sluice"')
    expect(removal).toMatch(/MessageBox.*\$APPDATA\\Sluice, .*\$LOCALAPPDATA\\Sluice.*\/SD IDOK/)
    // What is no data: the person's session is not to look for a program that is gone, nor are installers kept.
    const { appId } = packaging(electron, {})
    const atLogin = '"Software\\Microsoft\\Windows\\CurrentVersion'
    expect(removal).toContain(`DeleteRegValue HKCU ${atLogin}\\Run" "${appId}"`)
    expect(removal).toContain(`DeleteRegValue HKCU ${atLogin}\\Explorer\\StartupApproved\\Run" "${appId}"`)
    expect(removal).toContain('RMDir /r "$LOCALAPPDATA\\sluice-updater"')
  })

  it('puts the command line where its page says, for macOS and Windows', () => {
    const { mac, win } = packaging(electron, {})
    const page = readFileSync(join(ROOT, 'docs', 'command-line.md'), 'utf8')
    expect(page).toContain(`/Applications/Sluice.app/Contents/${mac.extraFiles[0]?.to ?? ''}`)
    const [script] = win.extraFiles
    expect(page).toContain(`%LOCALAPPDATA%\\Programs\\Sluice\\${script?.to.replaceAll('/', '\\') ?? ''}`)
    // The folder that the installer adds to the PATH.
    expect(asset('windows', 'command-path.nsh')).toContain(
      `"$INSTDIR\\${script?.to.replace('/sluice.cmd', '').replaceAll('/', '\\') ?? ''}"`,
    )
    expect(asset('windows', 'sluice.cmd')).toMatch(/^@"%~dp0\.\.\\\.\.\\Sluice\.exe" %\*$/m)
  })

  it('is one id to Windows, whatever starts the app', () => {
    const main = readFileSync(join(ROOT, 'electron', 'main.ts'), 'utf8')
    expect(main).toContain(`app.setAppUserModelId('${packaging(electron, {}).appId}')`)
  })

  it('puts the licenses of Sluice and of all that is in it beside the app', () => {
    const { extraResources, nsis } = packaging(electron, {})
    expect(extraResources.map(({ to }) => to)).toEqual(['LICENSE.txt', 'third-party.txt'])
    expect(nsis.license).toBe(join(ROOT, 'LICENSE'))
  })

  it('leaves out of the archive, whose content Electron checks, only what the system loads', () => {
    expect(packaging(electron, {})).toMatchObject({ asar: { smartUnpack: false }, asarUnpack: ['**/*.node'] })
  })

  it('packs Electron’s own words, which screen readers and system dialogs take, in each language of the window', () => {
    const { electronLanguages } = packaging(electron, {})
    const folders = readdirSync(join(ROOT, 'shared', 'language'), { withFileTypes: true })
    const spoken = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name)
    expect(spoken).toContain('en')
    for (const tag of spoken) expect(electronLanguages.some((each) => `${each}-`.startsWith(`${tag}-`))).toBe(true)
  })

  it('packs no source, no list for packagers, and no program for another C library', () => {
    expect(packaging(electron, {}).files).toEqual([
      'out/**',
      '!out/{.sources,cli.js,third-party.*}',
      'package.json',
      '!**/*.{d.ts,d.ts.map,md,map}',
      '!**/@libsql/*-musl/**',
    ])
  })
})

describe('a package of Linux', () => {
  it('gives each command of the command line to it, and everything else to the window', () => {
    const [, words = ''] = /\n\s*(get .*)\)\n/.exec(asset('linux', 'sluice')) ?? []
    expect(words.split(' | ')).toEqual([...COMMAND_LIST.map(([name]) => name), '-h', '--help', '--version'])
    for (const [name] of COMMAND_LIST) expect(asset('linux', 'AppRun')).toContain(`" ${name} "`)
  })

  it('is one id to desktops and to software centers', () => {
    const { appId, extraMetadata } = packaging(electron, {})
    expect(extraMetadata.desktopName).toBe(`${appId}.desktop`)
    const desktop = asset('linux', `${appId}.desktop`)
    expect(desktop).toContain('Categories=Network;FileTransfer;')
    expect(desktop).toContain('MimeType=x-scheme-handler/sluice;application/x-partial-download;')
    expect(desktop).toContain(`Icon=${appId}`)
    const metainfo = asset('linux', `${appId}.metainfo.xml`)
    expect(metainfo).toContain(`<id>${appId}</id>`)
    expect(metainfo).toContain(`<launchable type="desktop-id">${appId}.desktop</launchable>`)
    expect(withReleases(metainfo, [{ version: '1.2.3', date: '2026-01-02' }])).toContain(
      '<release version="1.2.3" date="2026-01-02" />',
    )
  })

  it('tells dpkg and rpm what it needs, and a test build of a version that it is older', () => {
    expect(controlOf('1.2.3-rc.1', 240_000)).toMatch(/^Package: sluice\nVersion: 1\.2\.3~rc\.1\nArchitecture: amd64$/m)
    const control = controlOf('1.2.3', 240_000)
    expect(control).toMatch(/^Depends: libc6, .*libsecret-1-0/m)
    // What is longer is wrapped by nobody.
    const [, description = ''] = control.split('Description: ')
    for (const line of description.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    // A step that fails is not passed over.
    expect(asset('linux', 'removed')).toMatch(/^#!\/bin\/sh\n(#.*\n)*set -e\n/)
    const spec = specOf('1.2.3', { tree: '/tree', removed: '#!/bin/sh\necho gone\n', isQuick: false })
    expect(spec).toContain('%attr(4755,root,root) /usr/lib/sluice/chrome-sandbox')
    expect(spec).toContain('%postun\necho gone\n')
  })
})

it('the guide names what removal leaves, as removal itself does', () => {
  const guide = readFileSync(join(ROOT, 'docs', 'guide.md'), 'utf8')
  const told = [...asset('linux', 'removed').matchAll(/~\/\.[\w./]+\w/g)].map(([path]) => path)
  expect(told).toEqual(['~/.config/Sluice', '~/.local/state/sluice'])
  for (const path of [...told, '%APPDATA%\\Sluice', '%LOCALAPPDATA%\\Sluice']) expect(guide).toContain(`\`${path}\``)
})

describe('the changelog', () => {
  // Notes may be grouped: only headings of the second level begin a version.
  const notes = 'What matters most:\n\n- New\n\n### Uploads\n\n- Faster'
  const text = `# Changelog\n\nAbout it.\n\n## Next\n\n${notes}\n\n## 0.1.0 - 2026-11-22\n\n- Old\n`

  it('gives its releases and what each of them says', () => {
    expect(releasesOf(text)).toEqual([{ version: '0.1.0', date: '2026-11-22' }])
    expect(notesOf(text, '0.1.0')).toBe('- Old')
    expect(notesOf(text, '0.2.0')).toBeNull()
  })

  it('makes a release of what is next', () => {
    const after = released(text, '0.2.0', '2026-12-01')
    expect(releasesOf(after).map(({ version }) => version)).toEqual(['0.2.0', '0.1.0'])
    expect(notesOf(after, '0.2.0')).toBe(notes)
    expect(() => released(after, '0.3.0', '2026-12-02')).toThrow('says nothing under')
    expect(() => released(text, '0.1.0', '2026-12-02')).toThrow('0.1.0 is already in CHANGELOG.md.')
  })

  it('knows the version that the project has', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
    expect(releasesOf(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'))[0]?.version).toBe(version)
  })
})

describe('updates', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
  const url = 'https://updates.example/sluice'

  it('are looked for nowhere unless the build is told where, and whose signature counts', () => {
    expect(updateBuild({}, { replacesItself: true })).toBeNull()
    expect(updateBuild({ SLUICE_UPDATE_URL: url, SLUICE_UPDATE_KEY: key }, { replacesItself: false })).toEqual({
      ...{ url: `${url}/`, key, replacesItself: false, updaterCacheDirName: 'sluice-updater' },
    })
  })

  it.each([
    ['an address alone', { SLUICE_UPDATE_URL: url }],
    ['a key alone', { SLUICE_UPDATE_KEY: key }],
    ['an address without TLS', { SLUICE_UPDATE_URL: 'http://updates.example/', SLUICE_UPDATE_KEY: key }],
    ['what is no key', { SLUICE_UPDATE_URL: url, SLUICE_UPDATE_KEY: 'bm9uZQ==' }],
  ])('stop a build with %s', (_what, environment) => {
    expect(() => updateBuild(environment, { replacesItself: true })).toThrow()
  })

  it('have a signed list for each installer that replaces a copy, a beta among betas alone', async () => {
    const folder = await tempDir()
    const names = [
      'linux-x86_64.AppImage',
      'linux-amd64.deb',
      'mac-arm64.zip',
      'mac-x64.zip',
      'mac-x64.dmg',
      'win-x64.exe',
    ]
    for (const version of ['0.1.0', '0.2.0', '0.2.0-electron33', '0.3.0-beta.1', '0.10.0']) {
      for (const name of names) await writeFile(join(folder, `Sluice-${version}-${name}`), name)
    }
    const lists = await updateLists(folder, '0.2.0', privateKey)
    const kinds = ['linux-x64', 'darwin-arm64', 'darwin-x64', 'win32-x64']
    expect(Object.keys(lists).sort()).toEqual(
      kinds.flatMap((kind) => [`beta-${kind}.json`, `stable-${kind}.json`]).sort(),
    )
    const named = Object.entries(lists).map(([name, text]) => readUpdateList(text, name, updateKey(key)))
    for (const list of named) {
      expect(list.version).toBe('0.2.0')
      expect(list.file.name).toMatch(/^Sluice-0\.2\.0-(linux-x86_64\.AppImage|mac-(arm64|x64)\.zip|win-x64\.exe)$/)
    }
    const betas = await updateLists(folder, '0.3.0-beta.1', privateKey)
    expect(Object.keys(betas).sort()).toEqual(kinds.map((kind) => `beta-${kind}.json`).sort())
    await expect(updateLists(folder, '0.4.0', privateKey)).rejects.toThrow('Sluice-0.4.0-linux-x86_64.AppImage')
  })
})

const hasDpkg = process.platform === 'linux' && existsSync('/usr/bin/dpkg-deb')

it.skipIf(!hasDpkg)('a .deb of one commit is the same, byte for byte, whenever it is made', async () => {
  const made: string[] = []
  for (const name of ['one', 'other']) {
    const tree = join(await tempDir(), 'tree')
    await mkdir(join(tree, 'usr/lib/sluice'), { recursive: true })
    await writeFile(join(tree, 'usr/lib/sluice/chrome-sandbox'), 'helper')
    await writeFile(join(tree, 'usr/lib/sluice/sluice'), 'program'.repeat(1000))
    const date = new Date(name === 'one' ? '2026-11-01' : '2027-01-01')
    for (const path of ['usr/lib/sluice/sluice', 'usr/lib/sluice']) await utimes(join(tree, path), date, date)
    await dateTree(tree)
    const target = join(tree, '..', 'sluice.deb')
    await LINUX_PACKAGES.deb.make(tree, target, { version: '0.2.0', isQuick: true })
    made.push(readFileSync(target).toString('base64'))
  }
  expect(made[1]).toBe(made[0])
})

it('the icon of macOS has each size for sharp screens, too', () => {
  const icon = readFileSync(join(ROOT, 'scripts', 'assets', 'icon.icns'))
  const found: [string, number][] = []
  for (let at = 8; at < icon.length; at += icon.readUInt32BE(at + 4)) {
    // The width stands in the first chunk of a PNG.
    found.push([icon.toString('latin1', at, at + 4), icon.readUInt32BE(at + 8 + 16)])
  }
  expect(found).toEqual(ICNS_TYPES)
})

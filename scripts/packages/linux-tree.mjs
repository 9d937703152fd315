import { chmod, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { releasesOf } from './changelog.mjs'
import { capture } from '../lib/child.mjs'
import { APP_ID } from './packaging.mjs'
import { inRoot } from '../lib/paths.mjs'
import { Failure } from '../lib/say.mjs'

const ICON_SIZES = [16, 32, 48, 64, 128, 256, 512]
const COMPLETIONS = {
  bash: 'usr/share/bash-completion/completions/sluice',
  zsh: 'usr/share/zsh/vendor-completions/_sluice',
  fish: 'usr/share/fish/vendor_completions.d/sluice.fish',
}

/** Files of the tree that are copied from the project unchanged: path in the tree, source, mode. */
const ASSETS = [
  ['usr/bin/sluice', ['scripts', 'assets', 'linux', 'sluice'], 0o755],
  [`usr/share/applications/${APP_ID}.desktop`, ['scripts', 'assets', 'linux', `${APP_ID}.desktop`], 0o644],
  ['usr/share/doc/sluice/copyright', ['LICENSE'], 0o644],
  ['usr/share/doc/sluice/third-party.txt', ['out', 'third-party.txt'], 0o644],
  ...ICON_SIZES.map((size) => [
    `usr/share/icons/hicolor/${size}x${size}/apps/${APP_ID}.png`,
    ['scripts', 'assets', 'icons', `${size}x${size}.png`],
    0o644,
  ]),
]

/**
 * Lays out below `tree` what every Linux package contains: the app itself in usr/lib/sluice, and the files that add it
 * to the PATH, the menu, the shells and the manual pages.
 */
export async function layOutTree(app, tree) {
  await rm(tree, { recursive: true, force: true })
  await mkdir(join(tree, 'usr', 'lib'), { recursive: true })
  // Hard links, because the app's folder stays for other packages and should not take space twice.
  await linked(app, join(tree, 'usr', 'lib', 'sluice'))
  for (const [path, source, mode] of ASSETS) {
    await mkdir(dirname(join(tree, path)), { recursive: true })
    await copyFile(inRoot(...source), join(tree, path))
    await chmod(join(tree, path), mode)
  }
  for (const [shell, path] of Object.entries(COMPLETIONS)) await put(tree, path, await printed('completion', shell))
  await put(tree, 'usr/share/man/man1/sluice.1.gz', gzipSync(await printed('manual'), { level: 9 }))
  const changelog = await readFile(inRoot('CHANGELOG.md'), 'utf8')
  await put(tree, 'usr/share/doc/sluice/changelog.gz', gzipSync(changelog, { level: 9 }))
  const metainfo = await readFile(inRoot('scripts', 'assets', 'linux', `${APP_ID}.metainfo.xml`), 'utf8')
  await put(tree, `usr/share/metainfo/${APP_ID}.metainfo.xml`, withReleases(metainfo, releasesOf(changelog)))
}

/** The AppStream metadata with the releases from the changelog. Pure. */
export function withReleases(metainfo, releases) {
  const lines = releases.map(({ version, date }) => `    <release version="${version}" date="${date}" />`)
  return metainfo.replace(/ {4}<!--.*-->/, lines.join('\n'))
}

/** Where the system has no user namespaces, sandboxed pages need this helper with these rights. */
export const HELPER = 'usr/lib/sluice/chrome-sandbox'
export const HELPER_MODE = 0o4755

async function linked(from, to) {
  const { code, output } = await capture('cp', ['-al', from, to])
  if (code !== 0) throw new Failure(`The app could not be laid out: ${output}`)
}

async function put(tree, path, content) {
  const file = join(tree, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content, { mode: 0o644 })
}

/** What the command line prints. */
async function printed(...words) {
  const { code, stdout, output } = await capture(process.execPath, [inRoot('out', 'cli.js'), ...words])
  if (code !== 0) throw new Failure(`sluice ${words.join(' ')} failed: ${output}`)
  return stdout
}

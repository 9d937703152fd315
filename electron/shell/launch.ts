// What the app was started with: files, links, requests to the command line.

import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isCommand } from '../cli/manual/option-table.ts'
import { MAX_REQUEST_ITEMS } from '../../shared/limits.ts'
import { MAX_LINK_CHARS } from '../../shared/place/links.ts'

/** One more than the window can request at a time, by which it notices that there are too many and says so. */
export const MAX_FILES = MAX_REQUEST_ITEMS + 1

/**
 * Returns the text to print on standard output for a launch that only asks for information, before a window could open;
 * null for any other launch. Pure.
 */
export function answerTo(argv: readonly string[], version: string): string | null {
  if (argv.includes('--version')) return `Sluice ${version}`
  return argv.some((word) => word === '--help' || word === '-h') ? HELP : null
}

/** Returns whether the launch asks for safe mode, in which nothing goes on by itself. Pure. */
export function asksSafeMode(argv: readonly string[]): boolean {
  return argv.includes('--safe-mode')
}

/** Returns whether there is no display for a window, in which case Chromium would crash. Pure. */
export function lacksDisplay(platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): boolean {
  return platform === 'linux' && !environment['DISPLAY'] && !environment['WAYLAND_DISPLAY']
}

export const NO_DISPLAY =
  'Sluice can’t open its window: this session has no display. Start it on a desktop, or set DISPLAY.'

const HELP = `Usage: sluice [<file or folder>…] [sluice://<bucket>/<key>]

Opens the window; with files, the sheet to upload them, with a link, the sheet to download what it leads to.
With --safe-mode all transfers are paused, the demo store is off and settings are the defaults.
Transfers without a window: sluice help`

/** Chromium switches that may precede a command: those that a package's own start script and tests add. */
const BEFORE_COMMANDS = /^--(no-sandbox|no-zygote|log-level=3|user-data-dir=.*)$/

/**
 * Returns the arguments for the command line, beginning with a command's name, which must come first; null when the
 * launch is for the window. An unpackaged program is also given `appFolder`. A file named like a command must be opened
 * by its path. Pure.
 */
export function commandAmong(argv: readonly string[], appFolder: string): readonly string[] | null {
  const words = argv.slice(1).filter((word) => !BEFORE_COMMANDS.test(word) && word !== appFolder)
  return words[0] !== undefined && isCommand(words[0]) ? words : null
}

/**
 * Returns the files and folders that a launch may name, as absolute paths. The first word is the program; an unpackaged
 * program is also given `appFolder`. Switches and all other URLs are ignored. Pure.
 */
export function filesAmong(argv: readonly string[], folder: string, appFolder: string): readonly string[] {
  const words = argv.slice(1).filter((word) => !word.startsWith('-'))
  return words
    .map(pathOfAddress)
    .filter((word) => !/^[a-z][a-z0-9+.-]*:\/\//i.test(word))
    .slice(0, MAX_FILES + 1)
    .map((word) => resolve(folder, word))
    .filter((path) => path !== appFolder)
    .slice(0, MAX_FILES)
}

/** Resolves a local file's URL to its path; Linux desktops may pass URLs (Desktop Entry Specification, `%U`). */
function pathOfAddress(word: string): string {
  const isLocal = /^file:/i.test(word) && URL.canParse(word) && new URL(word).host === ''
  try {
    return isLocal ? fileURLToPath(word) : word
  } catch {
    return word
  }
}

/** Separates the paths that exist from those that don't. */
export async function sortExisting(
  all: Iterable<string>,
): Promise<{ readonly paths: readonly string[]; readonly missing: readonly string[] }> {
  const given = [...all]
  const isThere = (path: string) =>
    access(path).then(
      () => true,
      () => false,
    )
  const found = await Promise.all(given.map(isThere))
  return { paths: given.filter((_path, index) => found[index]), missing: given.filter((_path, index) => !found[index]) }
}

/**
 * The system hands the app one kind of link; others are ignored. A link that is too long is cut just past the limit, so
 * the window can say that it is too long. Pure.
 */
export function linksAmong(given: readonly string[]): readonly string[] {
  return given.filter((text) => /^sluice:\/\//i.test(text)).map((text) => text.slice(0, MAX_LINK_CHARS + 1))
}

// What the app was started with: files, links, questions to the command line.

import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isCommand } from '../cli/manual/option-table.ts'
import { MAX_REQUEST_ITEMS } from '../../shared/limits.ts'
import { MAX_LINK_CHARS } from '../../shared/place/links.ts'

/** One more than the window can ask for at a time: by that it knows that they are too many, and says so. */
export const MAX_FILES = MAX_REQUEST_ITEMS + 1

/**
 * What a launch that only asks is told on standard output, before a window could be opened; null: it asks nothing.
 * Pure.
 */
export function answerTo(argv: readonly string[], version: string): string | null {
  if (argv.includes('--version')) return `Sluice ${version}`
  return argv.includes('--help') ? HELP : null
}

/** Whether the launch asks for a start in which nothing goes on by itself. Pure. */
export function asksSafeMode(argv: readonly string[]): boolean {
  return argv.includes('--safe-mode')
}

/** Whether there is nothing to show a window on, where Chromium would end with a crash. Pure. */
export function lacksDisplay(platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): boolean {
  return platform === 'linux' && !environment['DISPLAY'] && !environment['WAYLAND_DISPLAY']
}

export const NO_DISPLAY =
  'Sluice can’t open its window: this session has no display. Start it on a desktop, or set DISPLAY.'

const HELP = `Usage: sluice [<file or folder>…] [sluice://<bucket>/<key>]

Opens the window; with files, the sheet to upload them, with a link, the sheet to download what it leads to.
With --safe-mode all transfers are paused, the demo store is off and settings are the defaults.
Transfers without a window: sluice help`

/** Switches of Chromium that may stand before a command: what a package's own start script and tests give. */
const BEFORE_COMMANDS = /^--(no-sandbox|no-zygote|log-level=3|user-data-dir=.*)$/

/**
 * What a launch gives the command line: from a command's name on, which comes first; null: it is for the window. Where
 * the program is not packaged, it is given `appFolder` too. A file of such a name is opened by its path. Pure.
 */
export function commandAmong(argv: readonly string[], appFolder: string): readonly string[] | null {
  const words = argv.slice(1).filter((word) => !BEFORE_COMMANDS.test(word) && word !== appFolder)
  return words[0] !== undefined && isCommand(words[0]) ? words : null
}

/**
 * The files and folders that a launch may name, as absolute paths. The first word is the program; where it is not
 * packaged, it is given `appFolder`, too. Switches and addresses of anything else are none. Pure.
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

/** A file of this computer by its path, which desktops of Linux may name by its address (Desktop Entry Specification, `%U`). */
function pathOfAddress(word: string): string {
  const isLocal = /^file:/i.test(word) && URL.canParse(word) && new URL(word).host === ''
  try {
    return isLocal ? fileURLToPath(word) : word
  } catch {
    return word
  }
}

/** The paths where something is, and those where nothing is. */
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
 * The system gives the app one kind of link; others are left alone. One that is too long is kept as far as it shows
 * that, so that the window says so. Pure.
 */
export function linksAmong(given: readonly string[]): readonly string[] {
  return given.filter((text) => /^sluice:\/\//i.test(text)).map((text) => text.slice(0, MAX_LINK_CHARS + 1))
}

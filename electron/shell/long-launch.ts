// A launch with more arguments than one copy of the app can pass to another goes by way of a file.

import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { app, dialog } from 'electron'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { t } from '../../shared/language/translate.ts'
import { ownAppImage, outsideImage } from '../services/updates/app-image.ts'

/** What a launch was given, and the folder in which it was made. */
export interface Launch {
  readonly argv: readonly string[]
  readonly folder: string
}

/**
 * Chromium accepts a message of up to 32 KiB from another copy. It hangs up on a longer one, and that copy then ends
 * the running one (process_singleton_posix.cc). Electron adds something to these bytes.
 */
const MOST_BYTES = 24 * 1024
/** A list that was not taken by then never will be. */
const STALE_MS = 3_600_000

const SWITCH = '--opened-with='
const LIST_NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const listsFolder = (userData: string): string => join(userData, 'opened-with')

/** Returns whether the launch is too long to be passed to a running copy of the app. Pure. */
export function isTooLong({ argv, folder }: Launch): boolean {
  return [folder, ...argv].reduce((bytes, word) => bytes + Buffer.byteLength(word) + 1, 0) > MOST_BYTES
}

/**
 * Shortens a launch to its switches, the app's folder if the program is not packaged, and the name of a list that it
 * writes. Returns null when the launch is short already or can't be shortened. Throws when the list can't be written.
 */
export async function shortened(
  launch: Launch,
  userData: string,
  appFolder: string | null,
): Promise<readonly string[] | null> {
  const name = randomUUID()
  const switches = launch.argv.slice(1).filter((word) => word.startsWith('-') && !word.startsWith(SWITCH))
  const words = [...switches, ...(appFolder === null ? [] : [appFolder]), SWITCH + name]
  if (!isTooLong(launch) || isTooLong({ argv: words, folder: '' })) return null
  const folder = listsFolder(userData)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const list of (await readdir(folder)).map((each) => join(folder, each))) {
    if ((await stat(list)).mtimeMs < Date.now() - STALE_MS) await rm(list)
  }
  await writeFile(join(folder, name), JSON.stringify(launch), { mode: 0o600 })
  return words
}

/**
 * Makes the launch again in fewer words, because all its words would end a running copy. Returns whether it did.
 * Windows passes a running copy any number of words.
 */
export async function isHandedOn(launch: Launch): Promise<boolean> {
  if (process.platform === 'win32') return false
  try {
    const words = await shortened(launch, app.getPath('userData'), app.isPackaged ? null : app.getAppPath())
    if (words !== null) launchAgain(words)
    return words !== null
  } catch (error) {
    dialog.showErrorBox(t('shell.cannot-start'), error instanceof Error ? error.message : String(error))
    return true
  }
}

/** Makes the launch again with other words, using the running program. */
function launchAgain(words: readonly string[]): void {
  const appImage = ownAppImage(process.env, process.execPath)
  const options = { detached: true, stdio: 'inherit' } as const
  // The program inside an AppImage vanishes as soon as this copy ends.
  const again =
    appImage === null
      ? spawn(process.execPath, words, options)
      : spawn(appImage, words, { ...options, env: outsideImage(process.env), cwd: '/' })
  again.unref()
}

/**
 * Returns the launch that a short one stands for, once: its list is then deleted. Returns other launches as they are.
 */
export async function wholeLaunch(launch: Launch, userData: string): Promise<Launch> {
  const name = launch.argv.find((word) => word.startsWith(SWITCH))?.slice(SWITCH.length)
  if (name === undefined || !LIST_NAME.test(name)) return launch
  const list = join(listsFolder(userData), name)
  try {
    const whole: unknown = JSON.parse(await readFile(list, 'utf8'))
    await rm(list)
    return isLaunch(whole) ? whole : launch
  } catch {
    return launch
  }
}

function isLaunch(value: unknown): value is Launch {
  const { argv, folder } = Object(value) as Partial<Record<keyof Launch, unknown>>
  return typeof folder === 'string' && Array.isArray(argv) && argv.every((word) => typeof word === 'string')
}

// The command line on the PATH of a Mac: a link to the script inside the app.

import type * as fs from 'node:fs/promises'
import { dirname } from 'node:path'

/** The end of the script's path, wherever the app is or used to be. */
const OWN = '.app/Contents/Resources/bin/sluice'
/** A disk image, which will be ejected, and where macOS runs a downloaded app that was not moved yet. */
const PASSING = /^\/Volumes\/|\/AppTranslocation\//

interface CommandLink {
  /** Absolute paths of the app's script and of the link to it. */
  readonly script: string
  readonly link: string
  readonly fileSystem: Pick<typeof fs, 'mkdir' | 'readlink' | 'symlink' | 'lstat' | 'unlink'>
  /** Runs a command of sh(1) after macOS has asked for a password. */
  readonly asAdministrator: (command: string) => Promise<unknown>
}

/** `taken`: another program has the name. `passing`: the app will not stay where it is. */
export type LinkOutcome = 'linked' | 'taken' | 'passing'

/** Creates the link, or redirects one that leads to an earlier place of the app. Leaves anything else alone. */
export async function linkCommand(wanted: CommandLink): Promise<LinkOutcome> {
  const { script, link, fileSystem, asAdministrator } = wanted
  if (PASSING.test(script)) return 'passing'
  const earlier = await targetOf(wanted)
  if (earlier === script) return 'linked'
  if (earlier !== null && !earlier.endsWith(OWN)) return 'taken'
  try {
    await fileSystem.mkdir(dirname(link), { recursive: true })
    if (earlier !== null) await fileSystem.unlink(link)
    await fileSystem.symlink(script, link)
  } catch (error) {
    if (!isRefused(error)) throw error
    await asAdministrator(`/bin/mkdir -p ${quoted(dirname(link))} && /bin/ln -sfn ${quoted(script)} ${quoted(link)}`)
  }
  return 'linked'
}

/** Returns where the link leads; '' when the file is not a link, null when there is none. */
async function targetOf({ link, fileSystem }: CommandLink): Promise<string | null> {
  const isThere = await fileSystem.lstat(link).then(
    () => true,
    () => false,
  )
  return isThere ? fileSystem.readlink(link).catch(() => '') : null
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM')
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/** Returns AppleScript that runs a command of sh(1) as an administrator (do shell script, TN2065). Pure. */
export function administratorScript(command: string): string {
  return `do shell script "${command.replace(/["\\]/g, String.raw`\$&`)}" with administrator privileges`
}

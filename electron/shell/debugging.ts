import { access } from 'node:fs/promises'
import { join } from 'node:path'

/** Chromium switches that let another program drive the page, and thus use what only the keyring should open. */
const SWITCHES = ['remote-debugging-port', 'remote-debugging-pipe']

/** Tells tests where updates come from; installed apps know that only from inside their archive. */
const UPDATES = 'SLUICE_UPDATES'

interface Program {
  readonly isPackaged: boolean
  readonly commandLine: { hasSwitch(name: string): boolean }
}

/**
 * Returns whether the app must not start, because it is an installed app started to be driven from outside. A package
 * made for the installer tests carries a mark inside its archive, in the folder of the built files.
 */
export async function isDrivenFromOutside({ isPackaged, commandLine }: Program, folder: string): Promise<boolean> {
  if (!isPackaged || !SWITCHES.some((name) => commandLine.hasSwitch(name))) return false
  return !(await isTestBuild(folder))
}

/** Path of the file that says where to look for newer versions and whose signature counts. */
export async function updateBuildPath(
  { isPackaged }: Pick<Program, 'isPackaged'>,
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  const given = environment[UPDATES]
  const isGiven = given !== undefined && (!isPackaged || (await isTestBuild(folder)))
  return isGiven ? given : join(folder, 'updates.json')
}

async function isTestBuild(folder: string): Promise<boolean> {
  return access(join(folder, 'test-build')).then(
    () => true,
    () => false,
  )
}

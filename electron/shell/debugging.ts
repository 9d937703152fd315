import { access } from 'node:fs/promises'
import { join } from 'node:path'

/** Switches of Chromium that let another program drive the page, and so use what only the keyring would open. */
const SWITCHES = ['remote-debugging-port', 'remote-debugging-pipe']

/** Says in tests where updates come from; what people install has that inside its archive alone. */
const UPDATES = 'SLUICE_UPDATES'

interface Program {
  readonly isPackaged: boolean
  readonly commandLine: { hasSwitch(name: string): boolean }
}

/**
 * Whether the app must not start, because it was started to be driven from outside and is what people install. A
 * package made for the tests of installers has a mark inside its archive, in the folder of the built files.
 */
export async function isDrivenFromOutside({ isPackaged, commandLine }: Program, folder: string): Promise<boolean> {
  if (!isPackaged || !SWITCHES.some((name) => commandLine.hasSwitch(name))) return false
  return !(await isTestBuild(folder))
}

/** Path of the file that says where newer versions are looked for, and whose signature counts. */
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

import { access } from 'node:fs/promises'
import { join } from 'node:path'

/** Switches of Chromium that let another program drive the page, and so use what only the keyring would open. */
const SWITCHES = ['remote-debugging-port', 'remote-debugging-pipe']

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
  return access(join(folder, 'test-build')).then(
    () => false,
    () => true,
  )
}

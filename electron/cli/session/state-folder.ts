// The folder in which commands keep what they continue from.

import * as fileSystem from 'node:fs/promises'
import { homedir, userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { classify, makeFolders } from '../../engine/index.ts'
import { CommandError, commandErrorOfFailure } from '../command-error.ts'

/** Makes the folder. Throws CommandError when it can't be used, and rethrows failures that are worth another try. */
export async function makeStateFolder(folder: string): Promise<void> {
  await makeFolders(fileSystem, folder, 0o700).catch((failure: unknown) => {
    if (classify(failure).kind === 'wait') throw failure
    const { message } = commandErrorOfFailure(failure, new AbortController().signal)
    throw new CommandError(
      'state-unwritable',
      `Can’t keep what the command would continue from: ${message} Name another folder with --state-dir.`,
    )
  })
}

/** The state folder of commands that are not given another. */
export function defaultStateFolder(): string {
  // HOME may be empty; without a fallback the state would land in the current folder.
  const home = homedir() || userInfo().homedir
  switch (process.platform) {
    case 'win32':
      return join(process.env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'Sluice', 'cli')
    case 'darwin':
      return join(home, 'Library', 'Application Support', 'Sluice', 'cli')
    default: {
      // An empty or relative path is to be ignored (XDG Base Directory Specification).
      const named = process.env['XDG_STATE_HOME'] ?? ''
      return join(isAbsolute(named) ? named : join(home, '.local', 'state'), 'sluice')
    }
  }
}

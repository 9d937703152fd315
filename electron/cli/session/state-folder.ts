// Where commands keep what they continue from.

import * as fileSystem from 'node:fs/promises'
import { homedir, userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { classify, makeFolders } from '../../engine/index.ts'
import { CommandError, commandErrorOfFailure } from '../command-error.ts'

/** Throws CommandError where nothing can be kept; what is worth another try stays as it is. */
export async function makeStateFolder(folder: string): Promise<void> {
  await makeFolders(fileSystem, folder, 0o700).catch((failure: unknown) => {
    if (classify(failure).kind === 'wait') throw failure
    const { message } = commandErrorOfFailure(failure, new AbortController().signal)
    throw new CommandError(
      'state-unwritable',
      `There is no place to keep what a command continues from: ${message} Name another folder with --state-dir.`,
    )
  })
}

/** Where commands keep what they continue from, unless they are told otherwise. */
export function defaultStateFolder(): string {
  // The variable may be empty, and the folder then be the one that a command was given in.
  const home = homedir() || userInfo().homedir
  switch (process.platform) {
    case 'win32':
      return join(process.env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'Sluice', 'cli')
    case 'darwin':
      return join(home, 'Library', 'Application Support', 'Sluice', 'cli')
    default: {
      // One that is empty or relative is to be ignored (XDG Base Directory Specification).
      const named = process.env['XDG_STATE_HOME'] ?? ''
      return join(isAbsolute(named) ? named : join(home, '.local', 'state'), 'sluice')
    }
  }
}

// The folder in which commands keep what they continue from.

import * as fileSystem from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { CheckpointError, classify, homeFolder, isSystemError, makeFolders } from '../../engine/index.ts'
import { CommandError, commandErrorOfFailure, stateUnwritable } from '../command-error.ts'

/** Makes the folder, and returns what `open` opens in it. Throws CommandError when the file system refuses any of that. */
export async function openStateFolder<Opened>(folder: string, open: () => Promise<Opened>): Promise<Opened> {
  try {
    await makeFolders(fileSystem, folder, 0o700)
    return await open()
  } catch (failure) {
    throw refusalOf(failure, folder) ?? failure
  }
}

/** Null when it isn't the file system that refused. */
function refusalOf(failure: unknown, folder: string): CommandError | null {
  const cause = failure instanceof CheckpointError ? failure.cause : failure
  const verdict = classify(cause)
  if (verdict.kind === 'wait') return stateUnwritable(folder, 0)
  if (verdict.error.info.code === 'internal' && !isSystemError(cause)) return null
  const { message } = commandErrorOfFailure(cause, new AbortController().signal)
  return new CommandError(
    'state-unwritable',
    `Can’t keep what the command would continue from: ${message} Name another folder with --state-dir.`,
  )
}

/** The state folder of commands that are not given another. Throws CommandError if there is no home folder for it. */
export function defaultStateFolder(): string {
  switch (process.platform) {
    case 'win32':
      return join(process.env['LOCALAPPDATA'] || join(home(), 'AppData', 'Local'), 'Sluice', 'cli')
    case 'darwin':
      return join(home(), 'Library', 'Application Support', 'Sluice', 'cli')
    default: {
      // An empty or relative path is to be ignored (XDG Base Directory Specification).
      const named = process.env['XDG_STATE_HOME'] ?? ''
      return join(isAbsolute(named) ? named : join(home(), '.local', 'state'), 'sluice')
    }
  }
}

/** Without one the state would land in the current folder. */
function home(): string {
  const folder = homeFolder()
  if (folder !== null) return folder
  throw new CommandError(
    'state-unwritable',
    'This user has no home folder, where commands keep what they continue from. Name another folder with --state-dir.',
  )
}

import { access, constants } from 'node:fs/promises'
import { dirname } from 'node:path'

/** What macOS runs in place of an app that was downloaded and never moved: a copy, at a path that nobody may write to. */
const TRANSLOCATED = '/AppTranslocation/'

/**
 * Whether the app of macOS that `program` is of can be replaced where it is: not on a disk image, nor where macOS has put
 * a copy of it. For want of rights alone the system asks for the password of somebody who has them.
 */
export async function isReplaceable(program: string, mayWrite = tryToWrite): Promise<boolean> {
  if (program.includes(TRANSLOCATED)) return false
  return mayWrite(dirname(program)).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'EROFS',
  )
}

function tryToWrite(folder: string): Promise<void> {
  return access(folder, constants.W_OK)
}

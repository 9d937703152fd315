import { access, constants } from 'node:fs/promises'
import { dirname } from 'node:path'

/** In the path of the read-only copy that macOS runs in place of an app that was downloaded and never moved. */
const TRANSLOCATED = '/AppTranslocation/'

/**
 * Whether the macOS app that `program` belongs to can be replaced where it is: not on a disk image, nor as a copy that
 * macOS made. If only rights are missing, the system asks for the password of somebody who has them.
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

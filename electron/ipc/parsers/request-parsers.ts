// The form of each request of the window; each subject has a file with its parsers.

import { absolutePath } from '../../services/persistence/schemas.ts'
import { desktopParsers } from './desktop.ts'
import { downloadParsers } from './downloads.ts'
import type { RequestParsers } from './fields.ts'
import { networkParsers } from './network.ts'
import { objectParsers } from './objects.ts'
import { placeParsers } from './places.ts'
import { transferParsers } from './transfers.ts'
import { uploadParsers } from './uploads.ts'

export type { RequestParsers } from './fields.ts'

/**
 * Everything from the window is foreign data until it has passed these parsers. `isChosen` must accept each file and
 * folder that a request names.
 */
export function createRequestParsers(isChosen: (path: string) => boolean): RequestParsers {
  const path = absolutePath.refine(isChosen, 'nobody chose this file or folder')
  return {
    ...transferParsers,
    ...uploadParsers(path),
    ...downloadParsers(path),
    ...objectParsers,
    ...placeParsers(path),
    ...networkParsers,
    ...desktopParsers(path),
  }
}

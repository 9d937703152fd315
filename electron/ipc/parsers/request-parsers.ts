// What each request of the window must look like; the parsers of one subject are a file.

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
 * Whatever the window sends is foreign data until it has passed here. Each file and folder that it names must be one
 * that `isChosen`.
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

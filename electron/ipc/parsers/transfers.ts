import { z } from 'zod'
import { MAX_REQUEST_ITEMS } from '../../../shared/limits.ts'
import { MAX_FILES_A_PAGE } from '../../../shared/transfer/folder-file.ts'
import { queueView } from '../../services/persistence/queue-view.ts'
import { bucketName, rateLimit } from '../../services/persistence/schemas.ts'
import { nothing, transferId, type RequestParsers } from './fields.ts'

const selection = z.strictObject({ ids: z.union([z.literal('all'), z.array(transferId).max(MAX_REQUEST_ITEMS)]) })
const removal = z.uuid()
const leaving = selection.extend({ removal: removal.exactOptional() })
const folderFile = z.strictObject({ id: transferId, path: z.string().min(1).max(4096) })

/** Parsers of requests about transfers, their list and the files of their folders. */
export const transferParsers = {
  'queue:snapshot': nothing,
  'queue:watch': z.strictObject({ id: transferId.nullable() }),
  'transfers:pause': selection,
  'transfers:resume': selection,
  'transfers:retry': selection,
  'transfers:start-over': selection,
  'transfers:cancel': selection,
  'transfers:remove': leaving,
  'transfers:let-go': leaving,
  'transfers:restore': z.strictObject({ removal: removal.nullable() }),
  'transfers:move': z.strictObject({
    ids: z.array(transferId).max(MAX_REQUEST_ITEMS),
    before: transferId.nullable(),
  }),
  'transfers:start-now': selection,
  'transfers:rebucket': selection.extend({ bucket: bucketName }),
  'transfers:set-limit': selection.extend({ limitBytesPerSecond: rateLimit }),
  'transfers:save-parts': z.strictObject({ id: transferId }),
  'folder-files:list': z.strictObject({
    id: transferId,
    first: z.int().min(0),
    count: z.int().min(1).max(MAX_FILES_A_PAGE),
  }),
  'folder-files:retry': folderFile,
  'folder-files:reveal': folderFile,
  'view:get': nothing,
  'view:set': queueView,
} satisfies Partial<RequestParsers>

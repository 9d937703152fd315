import { z } from 'zod'
import { CONFLICTS } from '../../shared/conflict.ts'
import type { IpcRequest, IpcRequestName } from '../../shared/ipc/ipc-contract.ts'
import { MAX_REQUEST_ITEMS } from '../../shared/limits.ts'
import { MAX_LINK_CHARS } from '../../shared/place/links.ts'
import { MAX_FILES_A_PAGE } from '../../shared/transfer/folder-file.ts'
import { desktopRequests } from './desktop-parsers.ts'
import {
  absolutePath,
  bucketName,
  line,
  parseHttp,
  placeId,
  placeSchema,
  rateLimit,
  settingsSchema,
} from '../services/common/schemas.ts'
import { queueView } from '../services/common/queue-view.ts'
import { networkRequests } from './network-parsers.ts'
import { bucketAddress, folderPrefix, keyText, objectKey, objectParsers } from './object-parsers.ts'

/** The keys of a long list. */
const MAX_TEXT_LENGTH = 32_000_000

const nothing = z.null()
const transferId = z.uuid()

/** As the service gave it: any text, sent back in a query. */
const uploadId = z.string().min(1).max(4096)
const uploadPrefix = keyText.refine((prefix) => prefix === '' || prefix.endsWith('/'), 'not a prefix')

const link = z.string().max(MAX_LINK_CHARS).refine(isHttpLink, 'not an http or https link')

const selection = z.strictObject({ ids: z.union([z.literal('all'), z.array(transferId).max(MAX_REQUEST_ITEMS)]) })
const removal = z.uuid()
const leaving = selection.extend({ removal: removal.exactOptional() })

const folderFile = z.strictObject({ id: transferId, path: z.string().min(1).max(4096) })
const uploadName = z.strictObject({ ...bucketAddress, key: objectKey, uploadId })
const conflict = z.enum(CONFLICTS)

export type RequestParsers = { readonly [Name in IpcRequestName]: z.ZodType<IpcRequest<Name>> }

/** The requests that name files and folders: each must be one that `isChosen`. */
function pathParsers(isChosen: (path: string) => boolean) {
  const path = absolutePath.refine(isChosen, 'nobody chose this file or folder')
  const paths = z.array(path).min(1).max(MAX_REQUEST_ITEMS)
  const partsList = z.strictObject({ ...bucketAddress, path })
  const secrets = { secretAccessKey: line(1024), sessionToken: line(8192) }
  const newPlace = placeSchema.extend({ ...secrets, downloadsFolder: path.exactOptional() })
  const uploads = z.strictObject({ ...bucketAddress, prefix: uploadPrefix, paths, addsPaused: z.boolean().optional() })
  return {
    'uploads:enqueue': uploads.extend({ onConflict: conflict.optional() }),
    'uploads:enqueue-folder': uploads.extend({ onConflict: conflict }),
    'parts-lists:find': z.strictObject({ paths }),
    'parts-lists:review': partsList,
    'parts-lists:complete': partsList,
    'parts-lists:finish': partsList,
    'uploads:measure-sources': z.strictObject({ id: z.uuid(), paths }),
    'downloads:enqueue': z.strictObject({
      source: z.discriminatedUnion('kind', [
        z.strictObject({
          kind: z.literal('objects'),
          ...bucketAddress,
          keys: z.array(objectKey).min(1).max(MAX_REQUEST_ITEMS),
        }),
        z.strictObject({
          kind: z.literal('folders'),
          ...bucketAddress,
          prefixes: z.array(folderPrefix).min(1).max(MAX_REQUEST_ITEMS),
        }),
        z.strictObject({ kind: z.literal('links'), urls: z.array(link).min(1).max(MAX_REQUEST_ITEMS) }),
      ]),
      directory: path,
      onConflict: conflict,
      addsPaused: z.boolean().optional(),
      asCopies: z.boolean().optional(),
    }),
    'downloads:adopt': z.strictObject({ paths }),
    'places:add': newPlace,
    'places:edit': z.strictObject({ id: placeId, place: newPlace }),
    'places:check': z.strictObject({ id: placeId.nullable(), place: newPlace }),
    'settings:set': settingsSchema.extend({ downloadsFolder: path.nullable().exactOptional() }),
    'dialogs:choose-folder': z.strictObject({ defaultPath: path.nullable() }),
    'folders:space': z.strictObject({ directory: path }),
  } satisfies Partial<RequestParsers>
}

/** All others. */
const PARSERS = {
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
  'folder-files:list': z.strictObject({
    id: transferId,
    first: z.int().min(0),
    count: z.int().min(1).max(MAX_FILES_A_PAGE),
  }),
  'folder-files:retry': folderFile,
  'folder-files:reveal': folderFile,
  'transfers:rebucket': selection.extend({ bucket: bucketName }),
  'transfers:set-limit': selection.extend({ limitBytesPerSecond: rateLimit }),
  'uploads:compare': z.strictObject({ id: transferId }),
  'uploads:stop-comparing': z.strictObject({ id: uploadId }),
  'uploads:decide': z.strictObject({ id: transferId, uploadId: uploadId.nullable() }),
  'uploads:list': z.strictObject({
    ...bucketAddress,
    after: z.strictObject({ keyMarker: z.string().max(4096), uploadIdMarker: z.string().max(4096) }).nullable(),
  }),
  'uploads:measure': uploadName,
  'uploads:discard': uploadName,
  'uploads:finish': uploadName,
  'uploads:save-parts': uploadName,
  'transfers:save-parts': z.strictObject({ id: transferId }),
  'downloads:relink': z.strictObject({ id: transferId, url: link }),
  ...objectParsers,
  'places:list': nothing,
  'places:reorder': z.strictObject({ ids: z.array(placeId).max(MAX_REQUEST_ITEMS) }),
  'places:profiles': nothing,
  'places:remove': z.strictObject({ id: placeId }),
  'places:export': nothing,
  'places:import': nothing,
  'settings:get': nothing,
  'sample:start': nothing,
  'dialogs:choose-files': nothing,
  'shell:reveal': z.strictObject({ id: transferId }),
  'shell:open': z.strictObject({ id: transferId }),
  'shell:preview': z.strictObject({ id: transferId, number: z.int().min(0).nullable() }),
  'shell:drag': z.strictObject({ ids: z.array(transferId).min(1).max(MAX_REQUEST_ITEMS) }),
  'clipboard:write': z.strictObject({ text: z.string().max(MAX_TEXT_LENGTH) }),
  'clipboard:link': nothing,
  'view:get': nothing,
  'view:set': queueView,
  'app:info': nothing,
  'keyring:unlock': nothing,
  'app:restart': nothing,
  ...networkRequests,
  ...desktopRequests,
  'links:take': nothing,
  'files:take': nothing,
  'links:look': z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('link'), url: link }),
    z.strictObject({ kind: z.literal('object'), placeId, bucket: bucketName, key: objectKey }),
  ]),
} satisfies Partial<RequestParsers>

/** What each request must look like. Whatever the window sends is foreign data until it has passed here. */
export function createRequestParsers(isChosen: (path: string) => boolean): RequestParsers {
  return { ...PARSERS, ...pathParsers(isChosen) }
}

function isHttpLink(text: string): boolean {
  return parseHttp(text) !== null
}

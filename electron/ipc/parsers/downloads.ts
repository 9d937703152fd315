import { z } from 'zod'
import { MAX_REQUEST_ITEMS } from '../../../shared/limits.ts'
import { bucketName, placeId } from '../../services/persistence/schemas.ts'
import {
  bucketAddress,
  conflict,
  folderPrefix,
  link,
  nothing,
  objectKey,
  pathsOf,
  transferId,
  type ChosenPath,
  type RequestParsers,
} from './fields.ts'

const source = z.discriminatedUnion('kind', [
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
])

/** Parsers of requests about downloads and about links from outside. */
export function downloadParsers(path: ChosenPath) {
  return {
    'downloads:enqueue': z.strictObject({
      source,
      directory: path,
      onConflict: conflict,
      addsPaused: z.boolean().optional(),
      asCopies: z.boolean().optional(),
    }),
    'downloads:relink': z.strictObject({ id: transferId, url: link }),
    'downloads:adopt': z.strictObject({ paths: pathsOf(path) }),
    'folders:space': z.strictObject({ directory: path }),
    'links:take': nothing,
    'files:take': nothing,
    'links:look': z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('link'), url: link }),
      z.strictObject({ kind: z.literal('object'), placeId, bucket: bucketName, key: objectKey }),
    ]),
  } satisfies Partial<RequestParsers>
}

import { z } from 'zod'
import {
  bucketAddress,
  conflict,
  keyText,
  nothing,
  objectKey,
  pathsOf,
  transferId,
  type ChosenPath,
  type RequestParsers,
} from './fields.ts'

/** As the service returned it: any text, sent back in a query. */
const uploadId = z.string().min(1).max(4096)
const uploadName = z.strictObject({ ...bucketAddress, key: objectKey, uploadId })
const uploadPrefix = keyText.refine((prefix) => prefix === '' || prefix.endsWith('/'), 'not a prefix')

/** Parsers of requests about uploads, unfinished uploads and parts lists. */
export function uploadParsers(path: ChosenPath) {
  const paths = pathsOf(path)
  const partsList = z.strictObject({ ...bucketAddress, path })
  const uploads = z.strictObject({ ...bucketAddress, prefix: uploadPrefix, paths, addsPaused: z.boolean().optional() })
  return {
    'uploads:enqueue': uploads.extend({ onConflict: conflict.optional() }),
    'uploads:enqueue-folder': uploads.extend({ onConflict: conflict }),
    'uploads:measure-sources': z.strictObject({ id: z.uuid(), paths }),
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
    'parts-lists:find': z.strictObject({ paths }),
    'parts-lists:review': partsList,
    'parts-lists:complete': partsList,
    'parts-lists:finish': partsList,
    'sample:start': nothing,
  } satisfies Partial<RequestParsers>
}

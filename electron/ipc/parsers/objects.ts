import { z } from 'zod'
import { MAX_DELETED_KEYS, MAX_MOVED_KEYS } from '../../../shared/ipc/object-requests.ts'
import { MAX_KEY_BYTES, MAX_LINK_SECONDS } from '../../../shared/limits.ts'
import { isBucketName } from '../../../shared/place/bucket-name.ts'
import { placeId } from '../../services/persistence/schemas.ts'
import { bucketAddress, folderPrefix, keyText, objectKey, type RequestParsers } from './fields.ts'

const ticket = z.string().min(1).max(64)
const ticketed = { ticket: ticket.exactOptional() }
const newBucket = z.string().refine(isBucketName, 'not the name of a bucket')
const listing = z.strictObject({ ...bucketAddress, ...ticketed, prefix: keyText, marker: keyText.nullable() })
const object = z.strictObject({ ...bucketAddress, key: objectKey })

/** Parsers of requests about buckets and objects. */
export const objectParsers = {
  'buckets:list': z.strictObject({ ...ticketed, placeId }),
  'buckets:create': z.strictObject({ placeId, bucket: newBucket }),
  'objects:list': listing,
  'objects:search': listing.extend({ words: z.string().min(1).max(MAX_KEY_BYTES) }),
  'objects:measure': listing,
  'objects:facts': object.extend(ticketed),
  'objects:preview': object.extend(ticketed),
  'objects:link': object.extend({ expiresSeconds: z.int().min(1).max(MAX_LINK_SECONDS) }),
  'objects:make-folder': z.strictObject({ ...bucketAddress, prefix: folderPrefix }),
  'objects:delete': z.strictObject({
    ...bucketAddress,
    ...ticketed,
    keys: z.array(objectKey).min(1).max(MAX_DELETED_KEYS),
  }),
  // Without a prefix, this would delete the whole bucket.
  'objects:delete-page': listing.extend({ prefix: folderPrefix }),
  'objects:move': z
    .strictObject({
      ...{ ...bucketAddress, ...ticketed, from: keyText, to: keyText, isRetry: z.boolean() },
      keys: z.array(objectKey).min(1).max(MAX_MOVED_KEYS),
    })
    .refine(({ from, to }) => from !== to, 'the same')
    .refine(({ keys, from, to }) => keys.every((key) => key.startsWith(from) && to + key.slice(from.length) !== '')),
  // A folder inside itself would be listed, and moved, again and again.
  'objects:move-page': listing
    .extend({ prefix: folderPrefix, to: folderPrefix, isRetry: z.boolean() })
    .refine(({ prefix, to }) => !to.startsWith(prefix), 'inside itself'),
  'objects:abandon': z.strictObject({ ticket }),
} satisfies Partial<RequestParsers>

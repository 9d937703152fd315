// What requests of several subjects are made of.

import { z } from 'zod'
import { CONFLICTS } from '../../../shared/conflict.ts'
import type { IpcRequest, IpcRequestName } from '../../../shared/ipc/ipc-contract.ts'
import { MAX_KEY_BYTES, MAX_REQUEST_ITEMS } from '../../../shared/limits.ts'
import { MAX_LINK_CHARS } from '../../../shared/place/links.ts'
import { bucketName, parseHttp, placeId } from '../../services/persistence/schemas.ts'

export type RequestParsers = { readonly [Name in IpcRequestName]: z.ZodType<IpcRequest<Name>> }

/** A file or folder of this computer that somebody chose, absolute. */
export type ChosenPath = z.ZodType<string>

export const nothing = z.null()
export const transferId = z.uuid()
export const conflict = z.enum(CONFLICTS)

/** A bucket of a place; left out: the place's own. */
export const bucketAddress = { placeId, bucket: bucketName.exactOptional() }

/** A key, or what one begins with. */
export const keyText = z
  .string()
  .max(MAX_KEY_BYTES)
  .refine((key) => Buffer.byteLength(key) <= MAX_KEY_BYTES && !/[\0\p{Surrogate}]/u.test(key), 'not a key')
export const objectKey = keyText.min(1)
export const folderPrefix = objectKey.refine((prefix) => prefix.endsWith('/'), 'not a folder')

export const link = z
  .string()
  .max(MAX_LINK_CHARS)
  .refine((text) => parseHttp(text) !== null, 'not an http or https link')

/** Some paths, as many as a request may carry. */
export function pathsOf(path: ChosenPath) {
  return z.array(path).min(1).max(MAX_REQUEST_ITEMS)
}

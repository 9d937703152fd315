// Fields that requests of several subjects share.

import { z } from 'zod'
import { CONFLICTS } from '../../../shared/conflict.ts'
import type { IpcRequest, IpcRequestName } from '../../../shared/ipc/ipc-contract.ts'
import { MAX_KEY_BYTES, MAX_REQUEST_ITEMS } from '../../../shared/limits.ts'
import { MAX_LINK_CHARS } from '../../../shared/place/links.ts'
import { bucketName, parseHttp, placeId } from '../../services/persistence/schemas.ts'

export type RequestParsers = { readonly [Name in IpcRequestName]: z.ZodType<IpcRequest<Name>> }

/** Absolute path of a file or folder of this computer that somebody chose. */
export type ChosenPath = z.ZodType<string>

export const nothing = z.null()
export const transferId = z.uuid()
export const conflict = z.enum(CONFLICTS)

/** A bucket of a place; the place's own bucket when left out. */
export const bucketAddress = { placeId, bucket: bucketName.exactOptional() }

/** A key or the beginning of one. */
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

/** A list of paths, at most as many as a request may carry. */
export function pathsOf(path: ChosenPath) {
  return z.array(path).min(1).max(MAX_REQUEST_ITEMS)
}

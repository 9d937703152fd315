import type { Verification } from '../../shared/transfer.ts'
import type { ObjectStore } from '../stores/object-store.ts'
import type { EngineDeps } from './deps.ts'
import { leave } from './download-requests.ts'
import { proveContent } from './download-verify.ts'
import { orNull } from './file-failure.ts'

/**
 * What proves that the file at `path` equals the object now, so that it need not be downloaded again; null when nothing
 * does. The file must carry the object's time (spec: If-Modified-Since), as downloads give it, and its size; where the
 * ETag is an MD5 the content is compared too. Throws StoreError and file system errors.
 */
export async function proveCurrent(
  store: ObjectStore,
  key: string,
  path: string,
  { fileSystem, hasher }: Pick<EngineDeps, 'fileSystem' | 'hasher'>,
  signal: AbortSignal,
): Promise<Verification | null> {
  const file = await orNull(fileSystem.stat(path))
  if (file === null || !file.isFile()) return null
  const modified = file.mtime.toUTCString()
  const answer = await store.getObject({ key, ifModifiedSince: modified, signal })
  if (answer.kind === 'content') await leave(answer.body)
  if (answer.kind !== 'not-modified') return null
  // 304 also answers a file that was changed later: only the same time and size make it the same version.
  const head = await store.headObject({ key, signal })
  if (head.sizeBytes !== file.size || Date.parse(head.lastModified ?? '') !== Date.parse(modified)) return null
  const { etag, lastModified } = head
  const identity = { sizeBytes: file.size, etag, lastModified }
  return await proveContent(hasher, path, identity, store.capabilities.etagIsMd5, signal)
}

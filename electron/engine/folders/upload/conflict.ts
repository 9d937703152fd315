import { assertNever } from '../../../../shared/assert.ts'
import type { ListedObject } from '../../../../shared/place/place.ts'
import type { ObjectHead } from '../../../stores/port/object-store.ts'
import { numberedName } from '../../files/safe-name.ts'
import { md5OfEtag } from '../../integrity/etag.ts'
import type { KeyDecision } from '../../multipart/key-conflict.ts'
import { withRetry } from '../../retry/create-retry-policy.ts'
import type { UploadFolderRun, WantedFile } from './folder-run.ts'

/** Decides what to do about an object that has the key of a file. `isEqual` proves that an object equals the file. */
export async function resolveFolderConflict(
  run: UploadFolderRun,
  file: WantedFile,
  isEqual: (object: ListedObject) => boolean | Promise<boolean>,
): Promise<KeyDecision> {
  const { key, there } = file
  if (there === null) return { kind: 'send', key }
  if (await isEqual(there)) return { kind: 'found', key }
  const { onConflict } = run.context.record
  switch (onConflict) {
    case 'replace':
      return { kind: 'send', key }
    case 'skip':
      return { kind: 'skip' }
    case 'keep-both':
    case 'skip-identical':
      return keepBoth(run, file, isEqual)
    default:
      return assertNever(onConflict)
  }
}

/** Finds the first numbered key that no other object and no other file of the folder has. */
async function keepBoth(
  run: UploadFolderRun,
  file: WantedFile,
  isEqual: (object: ListedObject) => boolean | Promise<boolean>,
): Promise<KeyDecision> {
  const { givenKeys, sources, tally } = run
  const folder = file.key.slice(0, file.key.lastIndexOf('/') + 1)
  const localFolder = file.name.slice(0, file.name.lastIndexOf('/') + 1)
  for (let count = 1; ; count += 1) {
    const name = numberedName(file.key.slice(folder.length), count)
    const key = folder + name
    const owner = givenKeys.get(key)
    if (owner !== undefined && owner !== file.number) continue
    // Reserved before anything is awaited, because another file may want it, too.
    givenKeys.set(key, file.number)
    const [beside] = await sources.stat([localFolder + name])
    if (beside !== null && beside !== undefined) continue
    const object = await listedAt(run, key)
    if (object !== null && !(await isEqual(object))) continue
    if (owner === undefined) tally.renamed(file.key, key)
    return { kind: object === null ? 'send' : 'found', key }
  }
}

/** Looks an object up by a listing, which tells what to compare without a HEAD for each key. */
async function listedAt({ context, retryPolicy }: UploadFolderRun, key: string): Promise<ListedObject | null> {
  const { store, signal } = context
  const page = await withRetry(retryPolicy, () => store.listObjects({ prefix: key, maxKeys: 1, signal }))
  const [first] = page.objects
  return first?.key === key ? first : null
}

/** Whether the ETag proves that an object has this content. Only possible where ETags are MD5s. */
export function hasMd5(
  { context }: UploadFolderRun,
  { etag, sizeBytes: foundBytes }: Pick<ObjectHead, 'etag' | 'sizeBytes'>,
  sizeBytes: number,
  md5: string,
): boolean {
  return context.store.capabilities.etagIsMd5 && foundBytes === sizeBytes && etag !== null && md5OfEtag(etag) === md5
}

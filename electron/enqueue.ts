import { lstat, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { EnqueueDownloads, EnqueueResult, EnqueueUploads } from '../shared/ipc-contract.ts'
import type { Place } from '../shared/place.ts'
import { isFinal, type TransferRow } from '../shared/transfer.ts'
import {
  expandPaths,
  nameKey,
  safeFileName,
  type DownloadRequest,
  type Engine,
  type StoreLocation,
  type UploadRequest,
} from './engine/index.ts'
import { RequestError } from './ipc/request-error.ts'
import type { Places } from './places.ts'

type EnqueueEngine = Pick<Engine, 'snapshot' | 'enqueueUploads' | 'enqueueDownloads'>

/** Adds the files at and below the dropped paths, except what is in the list already. */
export async function enqueueUploads(
  engine: EnqueueEngine,
  places: Pick<Places, 'require'>,
  { placeId, prefix, paths }: EnqueueUploads,
): Promise<EnqueueResult> {
  const location = locationOf(places.require(placeId))
  const { files, skipped } = await expandPaths(paths, prefix)
  const sources = new Map(
    openRows(engine)
      .filter((row) => row.direction === 'upload' && row.placeId === placeId && row.bucket === location.bucket)
      .map((row) => [row.key, row.localPath]),
  )
  const added: UploadRequest[] = []
  const refused: string[] = []
  for (const { sourcePath, key } of files) {
    const other = sources.get(key)
    if (other === undefined) added.push({ location, key, sourcePath })
    else if (other === sourcePath) refused.push(`${basename(sourcePath)} is already in the list.`)
    else refused.push(`${sourcePath} would replace ${other}, which is in the list.`)
    sources.set(key, other ?? sourcePath)
  }
  await engine.enqueueUploads(added)
  return { added: added.length, skipped: shorten([...skipped, ...refused]) }
}

/** What to download, and the name it would have in the folder. */
interface Wanted {
  readonly location: StoreLocation
  readonly key: string
  readonly name: string
}

/** Adds downloads into one existing folder. Two of one request never replace each other. */
export async function enqueueDownloads(
  engine: EnqueueEngine,
  places: Pick<Places, 'require'>,
  request: EnqueueDownloads,
): Promise<EnqueueResult> {
  const { directory, onConflict } = request
  const facts = await stat(directory).catch(() => null)
  if (facts?.isDirectory() !== true) throw new RequestError(`There is no folder ${directory}.`)
  const rows = openRows(engine).filter((row) => row.direction === 'download' && dirname(row.localPath) === directory)
  const listed = new Set(rows.map((row) => `${row.placeId ?? ''}\n${row.key}`))
  // File systems that ignore case or normalization take some names for the same.
  const taken = new Set(rows.map((row) => nameKey(row.localPath)))
  const added: DownloadRequest[] = []
  const skipped: string[] = []
  for (const { location, key, name } of wantedOf(places, request)) {
    const targetPath = join(directory, name)
    const identity = `${location.kind === 'place' ? location.placeId : ''}\n${key}`
    if (name === '') skipped.push(`${key} is a folder.`)
    else if (listed.has(identity)) skipped.push(`${name} is already in the list.`)
    else if (onConflict === 'skip' && (taken.has(nameKey(targetPath)) || (await exists(targetPath))))
      skipped.push(`${name} is already in the folder.`)
    else {
      // Two of one request never replace each other.
      const wish = onConflict === 'skip' || taken.has(nameKey(targetPath)) ? 'keep-both' : onConflict
      added.push({ location, key, targetPath, onConflict: wish })
      listed.add(identity)
      taken.add(nameKey(targetPath))
    }
  }
  await engine.enqueueDownloads(added)
  return { added: added.length, skipped: shorten(skipped) }
}

function wantedOf(places: Pick<Places, 'require'>, { source }: EnqueueDownloads): readonly Wanted[] {
  if (source.kind === 'links') return source.urls.map(wantedLink)
  const location = locationOf(places.require(source.placeId))
  return source.keys.map((key) => {
    const lastSegment = key.slice(key.lastIndexOf('/') + 1)
    return { location, key, name: lastSegment === '' ? '' : safeFileName(lastSegment) }
  })
}

/** The key of a link leaves its query out: that is often a signature, and the key is shown. */
function wantedLink(url: string): Wanted {
  const { origin, pathname } = new URL(url)
  const lastSegment = pathname.slice(pathname.lastIndexOf('/') + 1)
  return {
    location: { kind: 'link', url },
    key: origin + pathname,
    name: lastSegment === '' ? 'download' : safeFileName(decoded(lastSegment)),
  }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

function locationOf({ id, bucket }: Place): StoreLocation & { readonly kind: 'place' } {
  return { kind: 'place', placeId: id, bucket }
}

function openRows(engine: EnqueueEngine): readonly TransferRow[] {
  return engine.snapshot().rows.filter((row) => !isFinal(row.status))
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}

/** A person reads a few sentences, not a hundred thousand. */
function shorten(sentences: readonly string[]): readonly string[] {
  const shown = sentences.slice(0, 20)
  const more = sentences.length - shown.length
  return more === 0 ? shown : [...shown, `And ${more.toLocaleString('en')} more.`]
}

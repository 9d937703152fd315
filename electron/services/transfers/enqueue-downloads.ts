import { lstat, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { EnqueueDownloads, EnqueueResult, EnqueueUploads } from '../../../shared/ipc/ipc-contract.ts'
import { isFinal, type TransferRow } from '../../../shared/transfer/transfer.ts'
import { continueListed } from './resume-listed.ts'
import {
  nameKey,
  safeFileName,
  uniqueName,
  type DownloadRequest,
  type Engine,
  type FolderRequest,
  type StoreLocation,
} from '../../engine/index.ts'
import { RequestError } from '../common/request-error.ts'
import { locationOf, placeAt } from '../places/place-at.ts'
import type { Places } from '../places/places.ts'
import { expandPaths, type ExpandedFile } from './expand-paths.ts'
import type { TakenFiles, UploadConflicts } from './upload-conflicts.ts'

type UploadEngine = Pick<Engine, 'snapshot' | 'enqueueUploads' | 'resume' | 'retry'>
type DownloadEngine = Pick<Engine, 'snapshot' | 'enqueueDownloads' | 'enqueueFolder'>

/**
 * Adds the files at and below the dropped paths, except what is in the list already. Those whose key has an object are
 * not added before it is said what is to become of that: they are `taken`.
 */
export async function enqueueUploads(
  engine: UploadEngine,
  places: Pick<Places, 'require'>,
  request: EnqueueUploads,
  conflicts: UploadConflicts,
): Promise<EnqueueResult> {
  const { placeId, prefix, paths, onConflict } = request
  const location = locationOf(placeAt(places, request))
  const { files, skipped } = await expandPaths(paths, prefix)
  const sources = new Map(
    openRows(engine)
      .filter((row) => row.direction === 'upload' && row.placeId === placeId && row.bucket === location.bucket)
      .map((row) => [row.key, row.localPath]),
  )
  const continued = await continueListed(engine, location, files)
  const named = new Set(paths)
  const isNamed = ({ sourcePath }: ExpandedFile): boolean => named.has(sourcePath)
  const fresh: ExpandedFile[] = []
  const refused: string[] = []
  for (const file of files) {
    const { sourcePath, key } = file
    if (continued.has(key)) continue
    const other = sources.get(key)
    if (other === undefined) fresh.push(file)
    else if (other === sourcePath) refused.push(`${basename(sourcePath)} is already in the list.`)
    else refused.push(`${sourcePath} would replace ${other}, which is in the list.`)
    sources.set(key, other ?? sourcePath)
  }
  const taken = onConflict === undefined ? await conflicts.find(location, fresh.filter(isNamed)) : NONE_TAKEN
  const free = fresh.filter((file) => !taken.files.has(file))
  const wanted =
    onConflict === undefined
      ? { ...taken, files: free, skipped: [] }
      : await conflicts.resolve(location, free, onConflict)
  await engine.enqueueUploads(
    wanted.files.map((file) => {
      const { sourcePath, key } = file
      return { location, key, sourcePath, ...(wanted.unseen.has(file) ? { isKeyUnseen: true } : {}) }
    }),
  )
  return {
    added: wanted.files.length,
    skipped: shorten([...skipped, ...refused, ...wanted.skipped]),
    taken: { paths: [...taken.files].map(({ sourcePath }) => sourcePath), isCertain: taken.isCertain },
    continued: [...continued.values()].map(({ name, confirmedBytes }) => ({ name, confirmedBytes })),
  }
}

const NONE_TAKEN: TakenFiles = { files: new Set(), unseen: new Set(), isCertain: true }

/** Adds downloads into one existing folder. Two of one request never replace each other. */
export async function enqueueDownloads(
  engine: DownloadEngine,
  places: Pick<Places, 'require'>,
  request: EnqueueDownloads,
): Promise<EnqueueResult> {
  const { source, directory, onConflict } = request
  const facts = await stat(directory).catch(() => null)
  if (facts?.isDirectory() !== true) throw new RequestError(`There is no folder ${directory}.`)
  const root = await realpath(directory)
  const list = listedIn(directory, openRows(engine))
  const skipped: string[] = []
  let added = 0
  if (source.kind === 'folders') {
    const location = locationOf(placeAt(places, source))
    const folders = await planFolders(location, source.prefixes, directory, list)
    for (const folder of folders.wanted) await engine.enqueueFolder({ ...folder, onConflict, root })
    added = folders.wanted.length
    skipped.push(...folders.skipped)
  } else {
    const wanted = source.kind === 'links' ? source.urls.map(wantedLink) : wantedObjects(places, source)
    const files = await planFiles(wanted, request, list)
    await engine.enqueueDownloads(files.wanted.map((file) => ({ ...file, root })))
    added = files.wanted.length
    skipped.push(...files.skipped)
  }
  return { added, skipped: shorten(skipped) }
}

/** What unfinished downloads into a folder already take. */
interface Listed {
  /** What they download. */
  readonly identities: Set<string>
  /** Their names, as file systems that ignore case or normalization compare them. */
  readonly names: Set<string>
}

/** Links are in no bucket. */
const NOWHERE = { placeId: null, bucket: '' }

function listedIn(directory: string, rows: readonly TransferRow[]): Listed {
  const inside = rows.filter((row) => row.direction === 'download' && dirname(row.localPath) === directory)
  return {
    identities: new Set(inside.map((row) => identityOf(row))),
    names: new Set(inside.map((row) => nameKey(basename(row.localPath)))),
  }
}

function identityOf({ placeId, bucket, key }: Pick<TransferRow, 'placeId' | 'bucket' | 'key'>): string {
  return `${placeId ?? ''}\n${bucket}\n${key}`
}

/** What to download, and the name it would have in the folder. */
interface WantedFile {
  readonly location: StoreLocation
  readonly key: string
  readonly name: string
}

/** What was asked for and what of it need not be done, one sentence each. */
interface Plan<Request> {
  readonly wanted: readonly Request[]
  readonly skipped: readonly string[]
}

async function planFiles(
  files: readonly WantedFile[],
  { directory, onConflict }: EnqueueDownloads,
  { identities, names }: Listed,
): Promise<Plan<DownloadRequest>> {
  const wanted: DownloadRequest[] = []
  const skipped: string[] = []
  for (const { location, key, name } of files) {
    const targetPath = join(directory, name)
    const identity = identityOf({ ...(location.kind === 'place' ? location : NOWHERE), key })
    const isTaken = names.has(nameKey(name))
    if (name === '') skipped.push(`${key} is a folder.`)
    else if (identities.has(identity)) skipped.push(`${name} is already in the list.`)
    else if (onConflict === 'skip' && (isTaken || (await kindOf(targetPath)) !== 'nothing'))
      skipped.push(`${name} is already in the folder.`)
    else {
      wanted.push({
        location,
        key,
        targetPath,
        onConflict: onConflict === 'skip' || isTaken ? 'keep-both' : onConflict,
      })
      identities.add(identity)
      names.add(nameKey(name))
    }
  }
  return { wanted, skipped }
}

/**
 * A folder goes into the local folder of its name, also when that is there already: its files are then looked at one by
 * one. What is no real folder (a file, a link) is left alone, and so is one that another transfer fills.
 */
async function planFolders(
  location: StoreLocation & { readonly kind: 'place' },
  prefixes: readonly string[],
  directory: string,
  { identities, names }: Listed,
): Promise<Plan<Omit<FolderRequest, 'onConflict'>>> {
  const wanted: Omit<FolderRequest, 'onConflict'>[] = []
  const skipped: string[] = []
  for (const prefix of prefixes) {
    const name = safeFileName(prefix.split('/').at(-2) ?? '')
    const identity = identityOf({ ...location, key: prefix })
    if (identities.has(identity)) {
      skipped.push(`${name} is already in the list.`)
      continue
    }
    let targetPath: string
    do {
      const free = uniqueName(name, names)
      names.add(nameKey(free))
      targetPath = join(directory, free)
    } while ((await kindOf(targetPath)) === 'other')
    wanted.push({ location, prefix, targetPath })
    identities.add(identity)
  }
  return { wanted, skipped }
}

function wantedObjects(
  places: Pick<Places, 'require'>,
  source: Extract<EnqueueDownloads['source'], { kind: 'objects' }>,
): readonly WantedFile[] {
  const location = locationOf(placeAt(places, source))
  return source.keys.map((key) => {
    const lastSegment = key.slice(key.lastIndexOf('/') + 1)
    return { location, key, name: lastSegment === '' ? '' : safeFileName(lastSegment) }
  })
}

/** The key of a link leaves its query out: that is often a signature, and the key is shown. */
export function wantedLink(url: string): WantedFile {
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

function openRows(engine: Pick<Engine, 'snapshot'>): readonly TransferRow[] {
  return engine.snapshot().rows.filter((row) => !isFinal(row.status))
}

async function kindOf(path: string): Promise<'nothing' | 'folder' | 'other'> {
  return lstat(path).then(
    (facts) => (facts.isDirectory() ? 'folder' : 'other'),
    () => 'nothing',
  )
}

/** A person reads a few sentences, not a hundred thousand. */
function shorten(sentences: readonly string[]): readonly string[] {
  const shown = sentences.slice(0, 20)
  const more = sentences.length - shown.length
  return more === 0 ? shown : [...shown, `And ${more.toLocaleString('en')} more.`]
}

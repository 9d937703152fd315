import { basename, dirname, join } from 'node:path'
import type { EnqueueDownloads, EnqueueResult } from '../../../shared/ipc/ipc-contract.ts'
import type { TransferId, TransferRow } from '../../../shared/transfer/transfer.ts'
import { visibleText } from '../../../shared/visible-text.ts'
import {
  nameKey,
  nameRulesOf,
  nodeFiles,
  safeFileName,
  uniqueName,
  type DownloadRequest,
  type Engine,
  type FolderRequest,
  type NameRules,
  type StoreLocation,
} from '../../engine/index.ts'
import { RequestError } from '../requests/request-error.ts'
import { wantedLink, type WantedFile } from '../places/wanted-link.ts'
import { locationOf, placeAt } from '../places/open-bucket.ts'
import type { Places } from '../places/places.ts'
import { openRows, shorten } from './enqueue-common.ts'
import { message, type Message } from '../../../shared/language/message.ts'

type DownloadEngine = Pick<Engine, 'snapshot' | 'enqueueDownloads' | 'enqueueFolder'>

/** Adds downloads into one existing folder. Two files of one request never replace each other. */
export async function enqueueDownloads(
  engine: DownloadEngine,
  places: Pick<Places, 'require' | 'locateLink'>,
  request: EnqueueDownloads,
): Promise<EnqueueResult> {
  const { source, directory, onConflict, addsPaused, asCopies = false } = request
  const adding = { isPaused: addsPaused }
  const facts = await nodeFiles.stat(directory).catch(() => null)
  if (facts?.isDirectory() !== true) throw new RequestError(message('services.folder.not-there', { directory }))
  const root = await nodeFiles.realpath(directory)
  const rules = await nameRulesOf(nodeFiles, root)
  const list = listedIn(directory, openRows(engine), asCopies)
  if (source.kind === 'folders') {
    const location = locationOf(placeAt(places, source))
    const plan = await planFolders(location, source.prefixes, directory, rules, list)
    for (const folder of plan.wanted) await engine.enqueueFolder({ ...folder, onConflict, root }, adding)
    return resultOf(plan, request, (prefixes) => ({ ...source, prefixes }))
  }
  const wanted =
    source.kind === 'links'
      ? source.urls.map((url) => ({ ...wantedLink(places.locateLink(url), rules), asked: url }))
      : wantedObjects(places, source, rules)
  const plan = await planFiles(wanted, request, list)
  await engine.enqueueDownloads(
    plan.wanted.map((file) => ({ ...file, root })),
    adding,
  )
  return resultOf(plan, request, (asked) =>
    source.kind === 'links' ? { ...source, urls: asked } : { ...source, keys: asked },
  )
}

function resultOf(
  { wanted, skipped, ids, listed }: Plan<unknown>,
  request: EnqueueDownloads,
  sourceOf: (listed: readonly string[]) => EnqueueDownloads['source'],
): EnqueueResult {
  const added = { added: wanted.length, skipped: shorten(skipped), ids }
  return listed.length === 0 ? added : { ...added, copies: { ...request, source: sourceOf(listed), asCopies: true } }
}

/** The objects and file names that unfinished downloads into a folder already claim. */
interface Listed {
  /** The objects being downloaded, with their row; null: it is part of this request. */
  readonly identities: Map<string, TransferId | null>
  /** The names of their files, as file systems that ignore case or normalization compare them. */
  readonly names: Set<string>
}

/** The location in an identity of a link, which is in no bucket. */
const NOWHERE = { placeId: null, bucket: '' }

/** With `asCopies`, the same objects may be downloaded again, but names stay taken. */
function listedIn(directory: string, rows: readonly TransferRow[], asCopies: boolean): Listed {
  const inside = rows.filter((row) => row.direction === 'download' && dirname(row.localPath) === directory)
  return {
    identities: new Map(asCopies ? [] : inside.map((row) => [identityOf(row), row.id])),
    names: new Set(inside.map((row) => nameKey(basename(row.localPath)))),
  }
}

function identityOf({ placeId, bucket, key }: Pick<TransferRow, 'placeId' | 'bucket' | 'key'>): string {
  return `${placeId ?? ''}\n${bucket}\n${key}`
}

/** The parts of a request that need not be done. */
interface LeftOut {
  /** One sentence for each, saying why. */
  readonly skipped: Message[]
  /** The rows that already do what was asked for. */
  readonly ids: TransferId[]
  /** What those rows do, as the request names it: keys, links or prefixes. */
  readonly listed: string[]
}

interface Plan<Request> extends LeftOut {
  readonly wanted: readonly Request[]
}

/** Leaves out what a row already does (`id`), or what the request asks for twice (`id` is null). */
function leaveOut(
  { skipped, ids, listed }: LeftOut,
  { id, name, asked }: { readonly id: TransferId | null; readonly name: string; readonly asked: string },
): void {
  skipped.push(message('services.upload.listed', { name }))
  if (id === null) return
  ids.push(id)
  listed.push(asked)
}

/** A file that was asked for, and how the request names it. */
type AskedFile = WantedFile & { readonly asked: string }

async function planFiles(
  files: readonly AskedFile[],
  { directory, asCopies = false, ...request }: EnqueueDownloads,
  { identities, names }: Listed,
): Promise<Plan<DownloadRequest>> {
  const wanted: DownloadRequest[] = []
  const left: LeftOut = { skipped: [], ids: [], listed: [] }
  // A copy replaces nothing.
  const onConflict = asCopies ? 'keep-both' : request.onConflict
  for (const { location, key, name, asked } of files) {
    const targetPath = join(directory, name)
    const identity = identityOf({ ...(location.kind === 'place' ? location : NOWHERE), key })
    const id = identities.get(identity)
    const isTaken = names.has(nameKey(name))
    if (name === '') left.skipped.push(message('services.skipped.folder-object', { key: visibleText(key) }))
    else if (id !== undefined) leaveOut(left, { id, name, asked })
    else if (onConflict === 'skip' && (isTaken || (await kindOf(targetPath)) !== 'nothing'))
      left.skipped.push(message('services.skipped.in-folder', { name }))
    else {
      wanted.push({
        location,
        key,
        targetPath,
        onConflict: onConflict === 'skip' || isTaken ? 'keep-both' : onConflict,
      })
      identities.set(identity, null)
      names.add(nameKey(name))
    }
  }
  return { wanted, ...left }
}

/**
 * Plans each folder into the local folder of its name, even if that exists; conflicts are then decided file by file.
 * Anything else of that name (a file, a link) is left alone, and so is a folder that another transfer fills.
 */
async function planFolders(
  location: StoreLocation & { readonly kind: 'place' },
  prefixes: readonly string[],
  directory: string,
  rules: NameRules,
  { identities, names }: Listed,
): Promise<Plan<Omit<FolderRequest, 'onConflict'>>> {
  const wanted: Omit<FolderRequest, 'onConflict'>[] = []
  const left: LeftOut = { skipped: [], ids: [], listed: [] }
  for (const prefix of prefixes) {
    const name = safeFileName(prefix.split('/').at(-2) ?? '', rules)
    const identity = identityOf({ ...location, key: prefix })
    const id = identities.get(identity)
    if (id !== undefined) {
      leaveOut(left, { id, name, asked: prefix })
      continue
    }
    let targetPath: string
    do {
      const free = uniqueName(name, names)
      names.add(nameKey(free))
      targetPath = join(directory, free)
    } while ((await kindOf(targetPath)) === 'other')
    wanted.push({ location, prefix, targetPath })
    identities.set(identity, null)
  }
  return { wanted, ...left }
}

function wantedObjects(
  places: Pick<Places, 'require'>,
  source: Extract<EnqueueDownloads['source'], { kind: 'objects' }>,
  rules: NameRules,
): readonly AskedFile[] {
  const location = locationOf(placeAt(places, source))
  return source.keys.map((key) => {
    const lastSegment = key.slice(key.lastIndexOf('/') + 1)
    return { location, key, name: lastSegment === '' ? '' : safeFileName(lastSegment, rules), asked: key }
  })
}

async function kindOf(path: string): Promise<'nothing' | 'folder' | 'other'> {
  return nodeFiles.lstat(path).then(
    (facts) => (facts.isDirectory() ? 'folder' : 'other'),
    () => 'nothing',
  )
}

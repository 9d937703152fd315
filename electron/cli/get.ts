import { lstat, mkdir, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import {
  createPatience,
  errnoCode,
  nameKey,
  patiently,
  resolveTarget,
  safeFileName,
  safeRelativePath,
  uniqueName,
  type DownloadRequest,
} from '../engine/index.ts'
import type { Command } from './arguments.ts'
import type { CommandConnection, ObjectAddress } from './connection.ts'
import { CommandError } from './exit-status.ts'
import type { Output } from './output.ts'
import { provenEqual } from './proof.ts'
import { continueEarlier, finishTransfers, withSession, type Session } from './session.ts'

type Get = Extract<Command, { name: 'get' }>

/** Where a single object goes. In a folder a taken name gives way to the next free one. */
interface Target {
  readonly path: string
  readonly inFolder: boolean
}

/** Downloads an object, a link, or everything under a prefix. Throws CommandError. */
export async function get(command: Get, connection: CommandConnection, output: Output): Promise<void> {
  const address = connection.address(command.source)
  const { options } = command
  const isPrefix = address.location.kind === 'place' && (address.key === '' || address.key.endsWith('/'))
  const identity = ['get', identityOf(address), resolve(command.dest ?? '.')]
  await withSession(identity, { options, connection, output }, async (session) => {
    await continueEarlier(session)
    if (isPrefix) await enqueuePrefix(session, command, address)
    else if (session.earlier.length === 0) await enqueueOne(session, command, address)
    await finishTransfers(session)
  })
}

async function enqueueOne(session: Session, command: Get, address: ObjectAddress): Promise<void> {
  const target = await targetOf(command.dest, safeFileName(lastSegmentOf(address)))
  const request = await requestFor(session, address, target, command.options.overwrite)
  if (request !== null) await session.engine.enqueueDownloads([request])
}

async function enqueuePrefix(session: Session, command: Get, address: ObjectAddress): Promise<void> {
  const root = resolve(command.dest ?? '.')
  await mkdir(root, { recursive: true })
  const known = new Set(session.earlier.map((row) => row.key))
  const taken = new Set(session.earlier.map((row) => nameKey(relative(root, row.localPath))))
  let found = 0
  let marker: string | null = null
  const patience = createPatience(session.patience)
  const store = session.connection.open(address.location)
  do {
    const after: { marker?: string } = marker === null ? {} : { marker }
    const page = await patiently(patience, () =>
      store.listObjects({ prefix: address.key, signal: session.signal, ...after }),
    )
    const requests: DownloadRequest[] = []
    for (const object of page.objects) {
      if (object.key.endsWith('/')) continue
      found += 1
      if (known.has(object.key)) continue
      const relativePath = uniqueName(safeRelativePath(object.key.slice(address.key.length)), taken)
      taken.add(nameKey(relativePath))
      const path = await resolveTarget(session.deps.fileSystem, root, relativePath)
      const one = { location: address.location, key: object.key }
      const request = await requestFor(session, one, { path, inFolder: false }, command.options.overwrite)
      if (request !== null) requests.push(request)
    }
    await session.engine.enqueueDownloads(requests)
    marker = page.nextMarker
  } while (marker !== null)
  if (found === 0) throw new CommandError('no-such-key', `There is nothing under “${address.key}”.`)
}

/** Null when the file is already there and proven equal to the object. Throws when another file is in the way. */
async function requestFor(
  session: Session,
  address: ObjectAddress,
  target: Target,
  overwrite: boolean,
): Promise<DownloadRequest | null> {
  const request = { ...address, targetPath: target.path }
  if (!(await exists(target.path))) return { ...request, onConflict: target.inFolder ? 'keep-both' : 'fail' }
  const proof = await provenEqual(session, address, target.path)
  if (proof !== null) {
    session.output.result(
      { event: 'done', direction: 'download', key: address.key, path: target.path, skipped: true, verification: proof },
      `${target.path}  already there and equal`,
    )
    return null
  }
  if (overwrite) return { ...request, onConflict: 'replace' }
  if (target.inFolder) return { ...request, onConflict: 'keep-both' }
  throw new CommandError('target-exists', `${target.path} is already there. Give --overwrite to replace it.`)
}

async function targetOf(dest: string | null, name: string): Promise<Target> {
  const path = resolve(dest ?? '.')
  if (dest?.endsWith('/')) await mkdir(path, { recursive: true })
  if (dest === null || (await isFolder(path))) return { path: join(path, name), inFolder: true }
  if (!(await isFolder(dirname(path)))) {
    throw new CommandError('target-unwritable', `There is no folder ${dirname(path)}.`)
  }
  return { path, inFolder: false }
}

function lastSegmentOf(address: ObjectAddress): string {
  if (address.location.kind === 'place') return address.key.split('/').at(-1) ?? ''
  const segment = new URL(address.location.url).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(segment) || 'download'
  } catch {
    return segment
  }
}

/** A link without its query: a fresh signature continues the same download. */
function identityOf(address: ObjectAddress): unknown {
  if (address.location.kind === 'place') return address
  const url = new URL(address.location.url)
  return `${url.origin}${url.pathname}`
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (facts) => facts.isDirectory(),
    (failure: unknown) => absent(failure),
  )
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (failure: unknown) => absent(failure),
  )
}

function absent(failure: unknown): false {
  const code = errnoCode(failure)
  if (code === 'ENOENT' || code === 'ENOTDIR') return false
  throw failure
}

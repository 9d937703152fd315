import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MIB } from '../../shared/limits.ts'
import { refusalWords } from '../../shared/transfer/words/error-words.ts'
import type { Random } from '../simulation/random.ts'
import { sha256Of, writeRandomFile } from '../support/tools/random-file.ts'
import { runS3Round, type DamagedBodies, type S3Corner } from './s3-round.ts'
import { isOutage, type SoakedApp } from './soaked-app.ts'
import type { SoakedCli } from './soaked-cli.ts'

/** Who takes part in a round, all of them on the same files. */
export interface RoundWorld {
  /** Where the files that are uploaded are made. */
  readonly sources: string
  /** Where all download to. */
  readonly targets: string
  readonly commandLines: readonly [SoakedCli, SoakedCli, SoakedCli]
  readonly apps: readonly [SoakedApp, SoakedApp]
  readonly service: ServiceView
  readonly s3: S3Corner
}

/** The service as a person asks it, past all faults. */
export interface ServiceView {
  openUploads(): Promise<readonly OpenUpload[]>
  partCount(upload: OpenUpload): Promise<number>
  abort(upload: OpenUpload): Promise<void>
  /** Its requests and what became of them, for whoever looks for the cause. */
  story(upload: OpenUpload): string
}

export interface OpenUpload {
  readonly key: string
  readonly uploadId: string
}

/** What a round came to. */
export interface RoundFacts {
  readonly comparedBytes: number
  /**
   * Uploads without parts whose maker never learned of them. Among those of others nobody can tell whose they are, so
   * they are left to the person.
   */
  readonly emptyUploads: number
  readonly damaged: DamagedBodies
}

interface RoundFiles {
  readonly folder: string
  /** SHA-256 by path below the folder. */
  readonly digests: ReadonlyMap<string, string>
  readonly sizeBytes: number
}

const SMALL_FILES = 30
/** How long what is not needed any more may take to go, milliseconds. */
const SETTLE_MS = 30_000

/**
 * All upload the same files to the same keys, then all download them, in part into one folder. Throws unless every copy
 * has the bytes of its source, and nothing else is left: no part at the service, no partial file, no sidecar.
 */
export async function runRound(world: RoundWorld, number: number, random: Random): Promise<RoundFacts> {
  const prefix = `round-${number}/`
  const files = await makeFiles(join(world.sources, `round-${number}`), random)
  await uploadByAll(world, files, prefix)
  const emptyUploads = await settle(world.service)
  const target = join(world.targets, `round-${number}`)
  const overS3 = join(target, 's3')
  const [comparedBytes, damaged] = await Promise.all([
    downloadByAll(world, files, prefix, target),
    runS3Round(world.s3, { folder: files.folder, prefix, target: overS3 }, random),
  ])
  const comparedOverS3 = await compareAll(files, overS3, 1)
  await clearAway(world, files, prefix, target)
  return { comparedBytes: comparedBytes + comparedOverS3, emptyUploads, damaged }
}

/** Two files of parts, one of a request, and a folder of small ones. */
async function makeFiles(folder: string, random: Random): Promise<RoundFiles> {
  const sizes: Readonly<Record<string, number>> = {
    'big.bin': 14 * MIB + random.below(20 * MIB),
    'middle.bin': 6 * MIB + random.below(4 * MIB),
    'small.bin': random.below(MIB),
    ...Object.fromEntries(
      Array.from({ length: SMALL_FILES }, (_, index) => [`many/file-${index}`, random.below(64 * 1024)]),
    ),
  }
  await mkdir(join(folder, 'many'), { recursive: true })
  const digests = new Map<string, string>()
  for (const [name, sizeBytes] of Object.entries(sizes)) {
    digests.set(name, await writeRandomFile(join(folder, name), sizeBytes))
  }
  return { folder, digests, sizeBytes: Object.values(sizes).reduce((sum, each) => sum + each, 0) }
}

async function uploadByAll({ commandLines, apps }: RoundWorld, { folder }: RoundFiles, prefix: string): Promise<void> {
  const paths = ['big.bin', 'middle.bin', 'small.bin'].map((name) => join(folder, name))
  const many = join(folder, 'many')
  const byCommand = commandLines.map((cli) => cli.run('put', ...paths, many, prefix))
  const byApp = apps.map(async (app) => {
    await app.choose(...paths, many)
    const at = { placeId: app.placeId(), prefix, onConflict: 'replace' } as const
    await app.ask('uploads:enqueue', { ...at, paths })
    await app.ask('uploads:enqueue-folder', { ...at, paths: [many] })
    await app.idle()
  })
  await Promise.all([...byCommand, ...byApp])
}

async function downloadByAll(
  { commandLines: [first, second, third], apps }: RoundWorld,
  files: RoundFiles,
  prefix: string,
  target: string,
): Promise<number> {
  const shared = join(target, 'shared')
  await mkdir(shared, { recursive: true })
  const keys = ['big.bin', 'middle.bin', 'small.bin'].map((name) => prefix + name)
  const url = await apps[0].askUntilAnswered('objects:link', {
    ...{ placeId: apps[0].placeId(), key: `${prefix}big.bin` },
    expiresSeconds: 3 * 24 * 60 * 60,
  })
  await Promise.all([
    first.run('get', prefix, join(target, 'first')),
    second.run('get', `${prefix}big.bin`, `${shared}/`),
    third.run('get', url, `${shared}/`),
    ...apps.map(async (app) => {
      await app.choose(shared)
      const to = { directory: shared, onConflict: 'keep-both' } as const
      await app.ask('downloads:enqueue', { ...to, source: { kind: 'objects', placeId: app.placeId(), keys } })
      await app.idle()
    }),
  ])
  return (await compareAll(files, join(target, 'first'), 1)) + (await compareAll(files, shared, 4))
}

/** Compares each file of a folder with its source; at most so many copies of one, and nothing else, may be there. */
async function compareAll(
  { digests, folder: source }: RoundFiles,
  folder: string,
  mostCopies: number,
): Promise<number> {
  const copies = new Map<string, number>()
  let comparedBytes = 0
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name)
    // A file whose numbered name was taken before it was whole gets another number.
    const name = path.slice(folder.length + 1).replace(/( \(\d\))+(?=\.bin$)/, '')
    const digest = digests.get(name)
    if (digest === undefined) throw new Error(`${path} is left over`)
    if ((await sha256Of(path)) !== digest) throw new Error(`${path}: ${await differenceOf(path, join(source, name))}`)
    copies.set(name, (copies.get(name) ?? 0) + 1)
    comparedBytes += (await stat(path)).size
  }
  const expected = mostCopies === 1 ? [...digests.keys()] : ['big.bin', 'middle.bin', 'small.bin']
  for (const name of expected) {
    const count = copies.get(name) ?? 0
    if (count === 0 || count > mostCopies) throw new Error(`${folder} has ${count} copies of ${name}`)
  }
  return comparedBytes
}

/** Says where a copy is wrong. */
async function differenceOf(copyPath: string, sourcePath: string): Promise<string> {
  const [copy, source] = await Promise.all([readFile(copyPath), readFile(sourcePath)])
  const wrong = [...source.keys()].filter((index) => copy[index] !== source[index])
  return `${copy.length} bytes of ${source.length}, ${wrong.length} of them wrong, from ${wrong.at(0)} to ${wrong.at(-1)}`
}

/** Waits until nothing is open at the service, or only what never had a part; aborts that. @returns how much it was. */
async function settle(service: ServiceView): Promise<number> {
  const endMs = performance.now() + SETTLE_MS
  let open = await service.openUploads()
  while (open.length > 0 && performance.now() < endMs) {
    await sleep(1000)
    open = await service.openUploads()
  }
  for (const upload of open) {
    const partCount = await service.partCount(upload)
    if (partCount > 0) {
      throw new Error(`An upload of ${upload.key} is left over, with ${partCount} parts:\n${service.story(upload)}`)
    }
    await service.abort(upload)
  }
  return open.length
}

/** Each round finds the service, the lists and the disk as the one before found them. */
async function clearAway({ apps }: RoundWorld, files: RoundFiles, prefix: string, target: string): Promise<void> {
  for (const app of apps) await app.ask('transfers:remove', { ids: 'all' })
  let keys: readonly string[] = [...files.digests.keys()].map((name) => prefix + name)
  // What is left while the service doesn't respond is deleted again, as a person would.
  while (keys.length > 0) {
    const { left, failure } = await apps[0].ask('objects:delete', { placeId: apps[0].placeId(), keys })
    if (left.length > 0 && (failure === null || !isOutage(refusalWords(failure)))) {
      throw new Error(
        `${left.length} objects of ${basename(target)} can’t be deleted: ${failure === null ? '' : refusalWords(failure)}`,
      )
    }
    keys = left
  }
  await rm(files.folder, { recursive: true })
  await rm(target, { recursive: true })
}

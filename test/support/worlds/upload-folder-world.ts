import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { UploadFolderRequest } from '../../../electron/engine/core/requests.ts'
import type { SourceFiles } from '../../../electron/engine/folders/upload/source-files.ts'
import type { TransferEngine } from '../../../electron/engine/queue/engine.ts'
import type { TransferRow } from '../../../shared/transfer/transfer.ts'
import { tempDir } from '../tools/temp-dir.ts'
import { PLACE } from './engine-world.ts'
import { createFolderWorld, rowOf, type FolderWorld } from './folder-world.ts'

/** A world with a folder that is to be uploaded. */
export interface UploadFolderWorld extends FolderWorld {
  /** Absolute path of the folder, named `photos`. */
  readonly source: string
  /** Writes a file below the folder. */
  write(path: string, content: string | Buffer): Promise<void>
  /** Keys of PutObject requests so far that were answered or begun. */
  puts(): readonly string[]
  /** Content of every object below the prefix, by key. */
  objects(): Promise<Readonly<Record<string, string>>>
}

export async function createUploadFolderWorld(
  wrap?: (sources: SourceFiles) => SourceFiles,
): Promise<UploadFolderWorld> {
  const world = await createFolderWorld(wrap)
  const source = join(await tempDir(), 'photos')
  await mkdir(source)
  const { signal } = new AbortController()
  return {
    ...world,
    source,
    async write(path, content) {
      const file = join(source, path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, content)
    },
    puts: () =>
      world.proxy
        .requests({ method: 'PUT', query: { uploadId: false } })
        .map(({ url }) => decodeURIComponent(url).slice(`/${PLACE.bucket}/`.length)),
    async objects() {
      const found: Record<string, string> = {}
      let marker: string | null = null
      do {
        const page = await world.store.listObjects({ signal, ...(marker === null ? {} : { marker }) })
        for (const { key } of page.objects) {
          const response = await world.store.getObject({ key, signal })
          if (response.kind !== 'content') throw new Error(`${key} is not there`)
          const blocks: Buffer[] = []
          for await (const block of response.body) blocks.push(Buffer.from(block))
          found[key] = Buffer.concat(blocks).toString()
        }
        marker = page.nextMarker
      } while (marker !== null)
      return found
    },
  }
}

/** Uploads the folder below `up/` and waits for the end. */
export async function uploadFolder(
  world: UploadFolderWorld,
  engine: TransferEngine,
  onConflict: UploadFolderRequest['onConflict'] = 'replace',
): Promise<TransferRow> {
  const id = await engine.enqueueUploadFolder({ ...requestFor(world), onConflict })
  await engine.idle()
  return rowOf(engine, id)
}

export function requestFor({ source }: UploadFolderWorld): UploadFolderRequest {
  return { location: PLACE, prefix: 'up/', sourcePaths: [source], onConflict: 'replace' }
}

/** Writes `count` files with different contents, named by their numbers. */
export async function writeAll(world: UploadFolderWorld, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, number) => world.write(`${number}`, `content of ${number}`)))
}

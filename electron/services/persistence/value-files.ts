import { Buffer } from 'node:buffer'
import * as fileSystem from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { errnoCode, readSmallFile, StateUnwritable, syncDirectory } from '../../engine/index.ts'
import { MIB } from '../../../shared/limits.ts'
import type { ValueSource } from './named-values.ts'

export interface ValueFiles extends ValueSource {
  /** Resolves when every value set so far is durable, or could not be written. */
  readonly settled: () => Promise<void>
  /** The values that were asked for and of which neither version could be read. */
  readonly lost: ReadonlySet<string>
}

/** Far more than any value takes. A longer file is damaged: to read it could take minutes, or all memory. */
const MAX_FILE_BYTES = 16 * MIB

/**
 * Keeps each value in its own file, so that damage to the list of transfers doesn't reach them. Each is kept twice, the
 * current version and the one before, in case one of them is damaged. A damaged file that is replaced stays as
 * `<name>.json.damaged`. `setValue` throws StateUnwritable if the disk is full or read-only.
 */
export function createValueFiles(folder: string): ValueFiles {
  let writing: Promise<void> = Promise.resolve()
  // The folders above may be new, too. If a power cut takes a folder's name, its files are gone.
  let unsynced = [folder, dirname(folder), dirname(dirname(folder))]
  const lost = new Set<string>()

  async function write(name: string, json: string): Promise<void> {
    await fileSystem.mkdir(folder, { recursive: true, mode: 0o700 })
    const path = pathOf(folder, name)
    await writeDurably(`${path}.new`, `${checksumOf(json)}\n${json}`)
    const { json: before, isDamaged } = await read(path)
    // A damaged file must not replace the `.old` one that can stand in for it.
    if (before !== null) await fileSystem.rename(path, `${path}.old`)
    else if (isDamaged) await fileSystem.rename(path, `${path}.damaged`)
    await fileSystem.rename(`${path}.new`, path)
    for (const each of unsynced) await syncDirectory(fileSystem, each)
    unsynced = [folder]
  }

  return {
    async getValue(name) {
      const path = pathOf(folder, name)
      const { json, isDamaged } = await read(path)
      const readable = json ?? (await read(`${path}.old`)).json
      if (readable === null && isDamaged) lost.add(name)
      return readable
    },
    setValue(name, json) {
      const written = writing
        .then(() => write(name, json))
        .catch((failure: unknown) => {
          throw StateUnwritable.of(failure, folder) ?? failure
        })
      writing = written.catch(() => undefined)
      return written
    },
    settled: () => writing,
    lost,
  }
}

function pathOf(folder: string, name: string): string {
  return join(folder, `${name}.json`)
}

function checksumOf(json: string): string {
  return crc32(Buffer.from(json)).toString(16).padStart(8, '0')
}

interface FileContent {
  /** Null when there is no file, or its bytes are not those that were written. */
  readonly json: string | null
  readonly isDamaged: boolean
}

const DAMAGED: FileContent = { json: null, isDamaged: true }

async function read(path: string): Promise<FileContent> {
  try {
    const text = (await readSmallFile(fileSystem, path, MAX_FILE_BYTES))?.toString()
    if (text === undefined) return DAMAGED
    const json = text.slice(text.indexOf('\n') + 1)
    return text.startsWith(`${checksumOf(json)}\n`) ? { json, isDamaged: false } : DAMAGED
  } catch (error) {
    if (errnoCode(error) === 'ENOENT') return { json: null, isDamaged: false }
    throw error
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await fileSystem.open(path, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

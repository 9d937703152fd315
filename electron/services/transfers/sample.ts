import { randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm, statfs, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { EnqueueResult } from '../../../shared/ipc/ipc-contract.ts'
import { MIB } from '../../../shared/limits.ts'
import { isFinal, type TransferRow } from '../../../shared/transfer/transfer.ts'
import { RequestError } from '../requests/request-error.ts'
import { message } from '../../../shared/language/message.ts'

/** The sample's pace: 2 GB in 50 s leaves time to pause, quit and reopen. */
export const SAMPLE_BYTES_PER_SECOND = 40_000_000
export const SAMPLE_NAME = 'Sample (2 GB).bin'

const SAMPLE_BYTES = 2_000_000_000
const BLOCK_BYTES = 8 * MIB
/** The sample, its object in the demo store, and some to spare. */
const NEEDED_BYTES = 2 * SAMPLE_BYTES + 512 * MIB

export interface Sample {
  /** Makes the file unless it exists, and enqueues it. */
  start(enqueue: (path: string) => Promise<EnqueueResult>): Promise<EnqueueResult>
  /** Deletes the file unless a row needs it: any row of it if `keepListed`, otherwise only an unfinished one. */
  tidy(rows: readonly TransferRow[], options: { readonly keepListed: boolean }): Promise<void>
}

/** The file for trying out the app, kept in `folder` for as long as it is needed. */
export function createSample(folder: string, sizeBytes = SAMPLE_BYTES): Sample {
  const path = join(folder, SAMPLE_NAME)
  let making: Promise<void> | null = null

  async function make(): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    if (await isWhole(path, sizeBytes)) return
    const { bavail, bsize } = await statfs(folder)
    if (bavail * bsize < NEEDED_BYTES) throw new RequestError(message('services.sample.no-room'))
    const unfinished = `${path}.new`
    const file = await open(unfinished, 'w', 0o600)
    try {
      await fill(file, sizeBytes)
    } finally {
      await file.close()
    }
    await rename(unfinished, path)
  }

  return {
    start: async (enqueue) => {
      making ??= make().finally(() => (making = null))
      await making
      return enqueue(path)
    },
    tidy: async (rows, { keepListed }) => {
      const isNeeded = rows.some((row) => row.localPath === path && (keepListed || !isFinal(row.status)))
      if (!isNeeded && making === null) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function isWhole(path: string, sizeBytes: number): Promise<boolean> {
  const file = await open(path, 'r').catch(() => null)
  if (file === null) return false
  const { size } = await file.stat()
  await file.close()
  return size === sizeBytes
}

/** Writes the same random bytes again and again, shifted and numbered: no two blocks are alike, at the disk's speed. */
async function fill(file: FileHandle, sizeBytes: number): Promise<void> {
  const noise = randomBytes(2 * BLOCK_BYTES)
  for (let offset = 0, block = 0; offset < sizeBytes; offset += BLOCK_BYTES, block++) {
    const start = (block * 4099) % BLOCK_BYTES
    const bytes = noise.subarray(start, start + Math.min(BLOCK_BYTES, sizeBytes - offset))
    bytes.writeUInt32LE(block)
    await file.write(bytes, 0, bytes.length, offset)
  }
}

import type { FilePreview, LocalFileName } from '../../../shared/ipc/object-requests.ts'
import { message } from '../../../shared/language/message.ts'
import { PREVIEW_MAX_BYTES } from '../../../shared/limits.ts'
import { isThere } from '../../../shared/transfer/folder-file.ts'
import { nodeFiles, type Engine } from '../../engine/index.ts'
import { RequestError } from '../requests/request-error.ts'
import { previewContent } from './preview-object.ts'

const BLOCK_BYTES = 256 * 1024

/**
 * Reads as much of a finished file on this computer as a preview takes. It reads only files that the list of transfers
 * names: the window gives an id and a number, never a path. Throws RequestError.
 */
export async function previewLocalFile(
  engine: Pick<Engine, 'row' | 'filesOf' | 'localPathOf'>,
  file: LocalFileName,
): Promise<FilePreview> {
  const path = await pathOf(engine, file)
  if (path === null) throw new RequestError(message('services.object.not-finished'))
  const found = await nodeFiles.stat(path).catch(() => null)
  if (found?.isFile() !== true) throw new RequestError(message('shell.file-gone', { path }))
  if (found.size > PREVIEW_MAX_BYTES) return { kind: 'none', why: 'too-large' }
  try {
    return await previewContent(beginningOf(path))
  } catch {
    throw new RequestError(message('services.object.unreadable', { path }))
  }
}

/** One byte more than a preview takes, so that a file that has grown meanwhile counts as too large. */
async function* beginningOf(path: string): AsyncGenerator<Uint8Array> {
  const file = await nodeFiles.open(path, 'r')
  try {
    let left = PREVIEW_MAX_BYTES + 1
    while (left > 0) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(left, BLOCK_BYTES)))
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
      left -= bytesRead
    }
  } finally {
    await file.close()
  }
}

/** The path of a transfer's file; null when the transfer isn't finished or isn't a single file. */
async function pathOf(
  engine: Pick<Engine, 'row' | 'filesOf' | 'localPathOf'>,
  { id, number }: LocalFileName,
): Promise<string | null> {
  if (number === null) {
    const row = engine.row(id)
    return row?.status === 'completed' && row.items == null ? row.localPath : null
  }
  const [file] = (await engine.filesOf({ id, first: number, count: 1 }))?.files ?? []
  return file !== undefined && isThere(file.state) ? engine.localPathOf({ id, path: file.path }) : null
}

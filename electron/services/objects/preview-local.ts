import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { FilePreview, LocalFileName } from '../../../shared/ipc/object-requests.ts'
import { message } from '../../../shared/language/message.ts'
import { PREVIEW_MAX_BYTES } from '../../../shared/limits.ts'
import { isThere } from '../../../shared/transfer/folder-file.ts'
import type { Engine } from '../../engine/index.ts'
import { RequestError } from '../requests/request-error.ts'
import { previewContent } from './preview-object.ts'

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
  const found = await stat(path).catch(() => null)
  if (found?.isFile() !== true) throw new RequestError(message('shell.file-gone', { path }))
  if (found.size > PREVIEW_MAX_BYTES) return { kind: 'none', why: 'too-large' }
  try {
    return await previewContent(createReadStream(path, { end: PREVIEW_MAX_BYTES }))
  } catch {
    throw new RequestError(message('services.object.unreadable', { path }))
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

import { basename } from 'node:path'
import { message, type Message } from '../../../shared/language/message.ts'
import { visibleText } from '../../../shared/visible-text.ts'
import { composedName, nodeFiles } from '../../engine/index.ts'

/** A file to upload and the key that it gets. */
export interface ChosenFile {
  readonly sourcePath: string
  readonly key: string
}

/** The files to upload out of those that a person chose. */
export interface ChosenFiles {
  readonly files: readonly ChosenFile[]
  /** One sentence for each path that is left out. */
  readonly skipped: readonly Message[]
}

/**
 * The files among `paths` (absolute), following links. The key of each is `prefix` and its name. Folders are left out;
 * each is uploaded as a transfer of its own.
 */
export async function chosenFiles(paths: readonly string[], prefix: string): Promise<ChosenFiles> {
  const files: ChosenFile[] = []
  const skipped: Message[] = []
  for (const sourcePath of paths) {
    const name = visibleText(basename(sourcePath))
    const facts = await nodeFiles.stat(sourcePath).catch(() => null)
    if (facts === null) skipped.push(message('services.skipped.unreadable', { name }))
    else if (facts.isDirectory())
      skipped.push(message('services.skipped.folder', { name, command: message('commands.name.upload-folder') }))
    else if (!facts.isFile()) skipped.push(message('services.skipped.no-file', { name }))
    else files.push({ sourcePath, key: `${prefix}${await composedName(sourcePath, nodeFiles)}` })
  }
  return { files, skipped }
}

import type { FileVersion, TakenUpload, TakenUploads } from '../../../shared/ipc/ipc-contract.ts'
import { nodeFiles } from '../../engine/index.ts'
import type { TakenBy, TakenFiles } from './upload-conflicts.ts'

/** The facts by which a person compares a file with the object that has its key. */
export async function describeTaken({ files, isCertain }: TakenFiles): Promise<TakenUploads> {
  const described = [...files].map(async ([{ sourcePath }, theirs]): Promise<TakenUpload> => ({
    path: sourcePath,
    ours: await versionOfFile(sourcePath),
    theirs: theirs === null ? null : versionOfObject(theirs),
  }))
  return { files: await Promise.all(described), isCertain }
}

async function versionOfFile(path: string): Promise<FileVersion> {
  const facts = await nodeFiles.stat(path).catch(() => null)
  return { sizeBytes: facts?.size ?? null, modifiedMs: facts === null ? null : Math.round(facts.mtimeMs) }
}

function versionOfObject({ sizeBytes, lastModified }: TakenBy): FileVersion {
  const modifiedMs = Date.parse(lastModified ?? '')
  return { sizeBytes, modifiedMs: Number.isNaN(modifiedMs) ? null : modifiedMs }
}

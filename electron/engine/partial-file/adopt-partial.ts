// Downloads that continue from a partial file and its sidecar, without a record in the database.

import { dirname, join } from 'node:path'
import type { TransferId } from '../../../shared/transfer/transfer.ts'
import type { EngineDeps } from '../core/deps.ts'
import { downloadRecord, type NewRecordFacts } from '../core/new-records.ts'
import type { DownloadRecord } from '../core/records.ts'
import type { DownloadRequest } from '../core/requests.ts'
import { orNull } from '../files/file-errors.ts'
import { nameRulesOf } from '../files/name-rules.ts'
import { safeFileName } from '../files/safe-name.ts'
import { isStillRunning, type Owner } from './owner.ts'
import { sidecarPathOf } from './partial-file.ts'
import { readSidecar, type SidecarContent } from './sidecar.ts'

/** A partial file that no transfer in this list knows, and what its sidecar says. None of it is proven yet. */
export interface FoundPartial extends Omit<SidecarContent, keyof Owner> {
  readonly partialPath: string
  /** Beside the partial file, wherever its sidecar says that it was. */
  readonly targetPath: string
}

/** Why a file can't be continued as a download. */
export type AdoptionProblem = 'not-a-partial' | 'in-use' | 'in-list'

export class AdoptionRefused extends Error {
  readonly problem: AdoptionProblem
  /** The transfer in the list that the file belongs to. */
  readonly transferId: TransferId | null

  constructor(problem: AdoptionProblem, message: string, transferId: TransferId | null = null) {
    super(message)
    this.name = 'AdoptionRefused'
    this.problem = problem
    this.transferId = transferId
  }
}

const SIDECAR_SUFFIX = '.part.json'

/** Reads what the partial file or sidecar at `path` belongs to. Changes nothing. Throws AdoptionRefused. */
export async function inspectPartial(
  { fileSystem, sidecarKey }: Pick<EngineDeps, 'fileSystem' | 'sidecarKey'>,
  path: string,
): Promise<FoundPartial> {
  const partialPath = path.endsWith(SIDECAR_SUFFIX) ? path.slice(0, -'.json'.length) : path
  const facts = await orNull(fileSystem.lstat(partialPath))
  const content = facts?.isFile() ? await readSidecar(fileSystem, partialPath, sidecarKey) : null
  if (content === null || content.written.length === 0) {
    throw new AdoptionRefused('not-a-partial', `${path} isn’t a partial download, or the file beside it is missing.`)
  }
  const { mtimeMs } = await fileSystem.stat(sidecarPathOf(partialPath))
  if (await isStillRunning(content, mtimeMs)) {
    throw new AdoptionRefused('in-use', `Another Sluice is downloading ${partialPath}.`)
  }
  const { isOurs, location, endpoint, key, identity, written } = content
  // The sidecar may have been written on another system, with another path separator.
  const separator = content.targetPath.startsWith('/') ? '/' : /[/\\]/
  const rules = await nameRulesOf(fileSystem, dirname(partialPath))
  const name = safeFileName(content.targetPath.split(separator).at(-1) ?? '', rules)
  const targetPath = join(dirname(partialPath), name)
  return { partialPath, isOurs, location, endpoint, key, targetPath, identity, written }
}

/** The record of a download that continues in a found partial file, or with a copy of its bytes. */
export function adoptedRecord(
  { partialPath, identity }: FoundPartial,
  isTakenOver: boolean,
  request: DownloadRequest,
  facts: NewRecordFacts,
): DownloadRecord {
  const from = isTakenOver ? { partialPath } : { borrowedFrom: partialPath }
  return { ...downloadRecord(request, facts), identity, ...from }
}

/**
 * Whether a found partial file may be written to: its sidecar is signed with this user's key, and the file has at least
 * one of the ranges that the sidecar names, which shows that it is the file meant. Reads ranges until one fits. Throws
 * `signal.reason`.
 */
export async function mayTakeOver(
  hasher: EngineDeps['hasher'],
  { isOurs, partialPath, written }: FoundPartial,
  signal: AbortSignal,
): Promise<boolean> {
  if (!isOurs) return false
  for (const { start, end, crc32 } of written) {
    const found = await hasher.crc32(partialPath, start, end - start, signal).catch(() => {
      signal.throwIfAborted()
      return null
    })
    if (found === crc32) return true
  }
  return false
}

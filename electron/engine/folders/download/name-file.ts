import { errnoCode } from '../../../errno/errno.ts'
import { unlessBusy, type Patience } from '../../files/busy-files.ts'
import { NO_LINK_CODES } from '../../files/hard-links.ts'
import type { WriteResult } from './small-files.ts'

const WRITTEN: WriteResult = { kind: 'written' }
const EQUAL: WriteResult = { kind: 'equal' }

/** What naming needs from the file system. Each call blocks, and throws what the file system throws. */
export interface NamingCalls {
  readonly link: (from: string, to: string) => void
  /** Creates an empty file where nothing is. */
  readonly create: (path: string) => void
  readonly rename: (from: string, to: string) => void
  readonly unlink: (path: string) => void
  /** Whether two paths are regular files with the same bytes; links are not followed. */
  readonly areEqual: (one: string, other: string) => boolean
}

/**
 * Gives the written file `temp` its name, waiting while a virus scanner has the file open. Replaces an existing file
 * only if `mayReplace`; otherwise a taken name leaves `temp` where it is, unless what has the name is equal, as when
 * two downloads of the same folder run at once. Throws what the file system throws.
 */
export async function nameFile(
  calls: NamingCalls,
  patience: Patience,
  { temp, target, mayReplace }: { readonly temp: string; readonly target: string; readonly mayReplace: boolean },
): Promise<WriteResult> {
  if (mayReplace) {
    await unlessBusy(() => calls.rename(temp, target), patience)
    return WRITTEN
  }
  try {
    calls.link(temp, target)
  } catch (failure) {
    const code = errnoCode(failure) ?? ''
    if (code === 'EEXIST') return await leaveTaken(calls, patience, temp, target)
    if (!NO_LINK_CODES.has(code)) throw failure
    return await nameByPlaceholder(calls, patience, temp, target)
  }
  // The file has its name. If the temporary one can't be removed now, it goes with the scratch folder.
  await unlessBusy(() => calls.unlink(temp), patience).catch(() => undefined)
  return WRITTEN
}

/** Names the file without hard links: an empty file reserves the name, then the written one takes its place. */
async function nameByPlaceholder(
  calls: NamingCalls,
  patience: Patience,
  temp: string,
  target: string,
): Promise<WriteResult> {
  try {
    calls.create(target)
  } catch (failure) {
    if (errnoCode(failure) === 'EEXIST') return await leaveTaken(calls, patience, temp, target)
    throw failure
  }
  try {
    await unlessBusy(() => calls.rename(temp, target), patience)
  } catch (failure) {
    await unlessBusy(() => calls.unlink(target), patience).catch(() => undefined)
    throw failure
  }
  return WRITTEN
}

async function leaveTaken(calls: NamingCalls, patience: Patience, temp: string, target: string): Promise<WriteResult> {
  if (!calls.areEqual(temp, target)) return { kind: 'taken' }
  await unlessBusy(() => calls.unlink(temp), patience).catch(() => undefined)
  return EQUAL
}

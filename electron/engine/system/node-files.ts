import * as fileSystem from 'node:fs/promises'
import { parse } from 'node:path'
import { onceFree } from '../../errno/descriptors.ts'
import type { FileSystem } from '../core/deps.ts'
import { homeFolder } from '../files/name-rules.ts'
import { inVolumeTurns } from '../volumes/volume-turns.ts'
import { Volumes } from '../volumes/volumes.ts'
import { realPath } from './real-path.ts'

const files: FileSystem = { ...fileSystem, realpath: realPath }

/** One for the process, because its threads for files are. */
export const nodeVolumes = new Volumes(files, homeFolder() ?? parse(process.execPath).root)

const inTurns = inVolumeTurns(files, nodeVolumes)

/**
 * The files of this computer; calls about them take turns, so that shares that hang leave threads for all else. What
 * has no descriptor waits outside its turn, in which others close theirs.
 */
export const nodeFiles: FileSystem = {
  ...inTurns,
  open: (...how) => onceFree(() => inTurns.open(...how)),
  readdir: ((...how: Parameters<FileSystem['readdir']>) =>
    onceFree(() => inTurns.readdir(...how))) as FileSystem['readdir'],
}

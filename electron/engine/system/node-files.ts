import * as fileSystem from 'node:fs/promises'
import { parse } from 'node:path'
import type { FileSystem } from '../core/deps.ts'
import { homeFolder } from '../files/name-rules.ts'
import { inVolumeTurns } from '../volumes/volume-turns.ts'
import { Volumes } from '../volumes/volumes.ts'
import { realPath } from './real-path.ts'

const files: FileSystem = { ...fileSystem, realpath: realPath }

/** One for the process, because its threads for files are. */
export const nodeVolumes = new Volumes(files, homeFolder() ?? parse(process.execPath).root)

/** The files of this computer; calls about them take turns, so that shares that hang leave threads for all else. */
export const nodeFiles: FileSystem = inVolumeTurns(files, nodeVolumes)

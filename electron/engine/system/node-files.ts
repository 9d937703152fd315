import * as fileSystem from 'node:fs/promises'
import { homedir } from 'node:os'
import type { FileSystem } from '../core/deps.ts'
import { inVolumeTurns } from '../volumes/volume-turns.ts'
import { Volumes } from '../volumes/volumes.ts'
import { realPath } from './real-path.ts'

const files: FileSystem = { ...fileSystem, realpath: realPath }

/** One for the process, because its threads for files are. */
export const nodeVolumes = new Volumes(files, homedir())

/** The files of this computer; calls about them take turns, so that shares that hang leave threads for all else. */
export const nodeFiles: FileSystem = inVolumeTurns(files, nodeVolumes)

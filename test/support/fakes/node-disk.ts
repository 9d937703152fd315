// The simulated disk in the place of Node's file system, for what opens files by itself.

import type { FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errnoCode } from '../../../electron/errno/errno.ts'
import { SimulatedDisk } from './simulated-disk.ts'

/** The calls of `node:fs/promises` that small durable files need, on a disk. */
export function nodeFilesOn(disk: SimulatedDisk) {
  const { files, waiting } = disk

  async function open(path: string, flags: string | number = 'r'): Promise<FileHandle> {
    const isThere = disk.contentOf(path) !== null
    const isToRead = flags === 'r' || typeof flags === 'number'
    const handle = await files.open(path, flags === 'wx' || (!isToRead && !isThere) ? 'wx' : 'r')
    if (flags === 'w' && isThere) await handle.truncate(0)
    return streaming(disk, path, handle)
  }

  async function readFile(path: string, encoding?: 'utf8'): Promise<string | Buffer> {
    const content = waiting.open(path, 'r').content()
    return encoding === undefined ? Buffer.from(content) : content.toString(encoding)
  }

  async function mkdir(path: string): Promise<void> {
    if (disk.contentOf(path) !== null) return
    if (disk.contentOf(dirname(path)) === null) await mkdir(dirname(path))
    await files.mkdir(path)
  }

  return {
    open,
    readFile,
    mkdir,
    readdir: files.readdir,
    stat: files.stat,
    rename: files.rename,
    unlink: files.unlink,
    rm: async (path: string) => {
      if (disk.contentOf(path) !== null) await files.unlink(path)
    },
    copyFile: async (from: string, to: string) => {
      const copy = await open(to, 'w')
      await copy.writeFile(await readFile(from))
    },
  }
}

/** A handle that writes at the end of its file where no place is named. */
function streaming(disk: SimulatedDisk, path: string, handle: FileHandle): FileHandle {
  const end = (): number => disk.contentOf(path)?.length ?? 0
  const append = {
    writev: (buffers: readonly Uint8Array[]) => handle.writev(buffers as Uint8Array[], end()),
    writeFile: async (text: string | Uint8Array) => {
      await handle.writev([Buffer.from(text)], end())
    },
  }
  return { ...handle, ...append } as FileHandle
}

/** A scenario is run up to each of its calls in turn; there the process is gone, and the power with it. */
export interface CrashPoint {
  readonly disk: SimulatedDisk
  /** Chooses what survives. */
  readonly random: () => number
}

/** Thrown by every call from the crash on. */
class PowerLost extends Error {}

/**
 * Runs `scenario` on a new disk for each of its calls, with the power lost there, and then `check`, as the next start
 * does. @returns how many crash points there were.
 */
export async function atEachCall(
  folder: string,
  randoms: readonly (() => number)[],
  scenario: (disk: SimulatedDisk) => Promise<void>,
  check: (point: CrashPoint, call: number) => Promise<void>,
): Promise<number> {
  for (let call = 1; ; call += 1) {
    for (const random of randoms) {
      const disk = new SimulatedDisk(folder)
      disk.losesFolders = true
      let calls = 0
      disk.onCall = () => {
        calls += 1
        if (calls >= call) throw new PowerLost()
      }
      await scenario(disk).catch((failure: unknown) => {
        if (!(failure instanceof PowerLost)) throw failure
      })
      if (calls < call) return call - 1
      disk.onCall = () => undefined
      disk.cutPower(random)
      await check({ disk, random }, call)
    }
  }
}

/** The calls of `node:fs` that wait for the disk, as the thread of small files makes them, on a disk. */
export function waitingFilesOn({ waiting }: SimulatedDisk) {
  const handles: ReturnType<typeof waiting.open>[] = []
  const handle = (number: number) => {
    const found = handles[number]
    if (found === undefined) throw new Error(`Nothing is open as ${String(number)}`)
    return found
  }
  const unlinkAll = (path: string): void => {
    for (const name of waiting.readdir(path)) unlinkAll(join(path, name))
    waiting.unlink(path)
  }
  return {
    openSync: (path: string, flags: string) => handles.push(waiting.open(path, flags)) - 1,
    writeSync: (number: number, bytes: Uint8Array, offset: number) =>
      handle(number).write(bytes, offset, bytes.length - offset, offset).bytesWritten,
    futimesSync: (number: number, _accessed: number, modifiedSeconds: number) =>
      handle(number).utimes(new Date(), new Date(modifiedSeconds * 1000)),
    closeSync: (number: number) => handle(number).close(),
    lstatSync(path: string) {
      try {
        return waiting.lstat(path)
      } catch (failure) {
        if (errnoCode(failure) === 'ENOENT') return undefined
        throw failure
      }
    },
    readFileSync: (path: string) => waiting.open(path, 'r').content(),
    readdirSync: waiting.readdir,
    mkdirSync: waiting.mkdir,
    linkSync: waiting.link,
    renameSync: waiting.rename,
    unlinkSync: waiting.unlink,
    rmSync: unlinkAll,
  }
}

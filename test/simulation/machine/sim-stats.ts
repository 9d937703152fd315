import { errnoFacts } from '../../support/fakes/simulated-disk.ts'
import type { SimFile } from './sim-disk.ts'

/** Milliseconds of a time as Node's calls take it. */
export function timeOf(time: Date | number): number {
  return typeof time === 'number' ? time * 1000 : time.getTime()
}

/** What `stat` tells of a file, or of a folder where it is null. */
export function statsOf(file: SimFile | null, isBig: boolean): unknown {
  const number = (value: number): number | bigint => (isBig ? BigInt(Math.floor(value)) : value)
  return {
    ino: number(file?.ino ?? 0),
    dev: number(1),
    size: number(file?.bytes.length ?? 0),
    ...(isBig ? { mtimeNs: nanoseconds(file), ctimeNs: nanoseconds(file) } : {}),
    mtimeMs: number(file?.modifiedMs ?? 0),
    mtime: new Date(file?.modifiedMs ?? 0),
    isFile: () => file !== null,
    isDirectory: () => file === null,
    isSymbolicLink: () => false,
  }
}

function nanoseconds(file: SimFile | null): bigint {
  return BigInt(Math.floor((file?.modifiedMs ?? 0) * 1000)) * 1000n
}

/** An error as Node's file system throws it. */
export function systemError(code: string, call: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${call} '${path}'`), { ...errnoFacts(code), syscall: call, path })
}

import type { FileHandle } from 'node:fs/promises'
import type { FileSystem } from '../core/deps.ts'

/** Makes a call about the file or folder at `path` in its own way, and returns the call's result. */
export type Around = <T>(path: string, call: () => Promise<T>) => Promise<T>

type Call = (path: string, ...rest: unknown[]) => Promise<unknown>

/** The methods of an open file that call the file system. */
const HANDLE_CALLS: ReadonlySet<string | symbol> = new Set<keyof FileHandle>([
  ...(['read', 'readv', 'readFile', 'stat'] as const),
  ...(['write', 'writev', 'writeFile', 'appendFile', 'truncate', 'utimes'] as const),
  ...(['datasync', 'sync', 'close'] as const),
])

/** A file system that makes all its calls, and those of the files that it opens, through `around`. */
export function eachCall(fileSystem: FileSystem, around: Around): FileSystem {
  const through =
    (name: keyof FileSystem): Call =>
    (path, ...rest) =>
      around(path, () => (fileSystem[name] as Call)(path, ...rest))
  const calls: Record<keyof FileSystem, Call> = {
    stat: through('stat'),
    lstat: through('lstat'),
    statfs: through('statfs'),
    realpath: through('realpath'),
    readdir: through('readdir'),
    mkdir: through('mkdir'),
    rename: through('rename'),
    link: through('link'),
    unlink: through('unlink'),
    utimes: through('utimes'),
    open: async (path, ...rest) => handleThrough((await through('open')(path, ...rest)) as FileHandle, path, around),
  }
  // One signature stands for all overloads: the result is what was asked for.
  return calls as unknown as FileSystem
}

function handleThrough(handle: FileHandle, path: string, around: Around): FileHandle {
  return new Proxy(handle, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== 'function') return member
      const call = member.bind(target) as (...args: unknown[]) => Promise<unknown>
      return HANDLE_CALLS.has(name) ? (...args: unknown[]) => around(path, () => call(...args)) : call
    },
  })
}

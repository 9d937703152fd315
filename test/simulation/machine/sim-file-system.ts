import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { basename, dirname, relative } from 'node:path'
import type { FileSystem } from '../../../electron/engine/core/deps.ts'
import type { SimFile } from './sim-disk.ts'
import { SimHandle } from './sim-handle.ts'
import type { SimFileSystemParts } from '../sim-parts.ts'
import { waitFor } from './sim-wait.ts'
import { statsOf, systemError, timeOf } from './sim-stats.ts'

/** The engine's file system on a simulated disk. Each call takes a while and may fail. */
export class SimFileSystem {
  readonly #parts: SimFileSystemParts
  openHandles = 0

  constructor(parts: SimFileSystemParts) {
    this.#parts = parts
  }

  /** As the engine takes it. */
  asFileSystem(): FileSystem {
    return this as unknown as FileSystem
  }

  open(path: string, flags: string | number): Promise<FileHandle> {
    const bits = typeof flags === 'number' ? flags : (FLAGS[flags] ?? 0)
    const writes = (bits & (constants.O_WRONLY | constants.O_RDWR)) !== 0
    return this.perform(writes ? 'open' : 'openToRead', path, () => {
      const { disk } = this.#parts
      const isFolder = disk.folders.has(path)
      if (isFolder && writes) throw systemError('EISDIR', 'open', path)
      let file = disk.file(path)
      if (!isFolder && file !== null && (bits & constants.O_EXCL) !== 0) throw systemError('EEXIST', 'open', path)
      if (!isFolder && file === null) {
        if ((bits & constants.O_CREAT) === 0) throw systemError('ENOENT', 'open', path)
        this.#requireFolder(path)
        file = disk.create(path)
        this.#parts.rules.afterNaming(path, file)
      }
      this.openHandles += 1
      return new SimHandle(this, path, file, this.#parts) as unknown as FileHandle
    })
  }

  stat(path: string, options?: { readonly bigint?: boolean }): Promise<unknown> {
    return this.perform('stat', path, () => {
      const { disk } = this.#parts
      const file = disk.file(path)
      if (file === null && !disk.folders.has(path)) throw systemError('ENOENT', 'stat', path)
      return statsOf(file, options?.bigint === true)
    })
  }

  lstat(path: string, options?: { readonly bigint?: boolean }): Promise<unknown> {
    return this.stat(path, options)
  }

  statfs(path: string): Promise<unknown> {
    return this.perform('statfs', path, () => {
      this.#requireFolder(`${path}/.`)
      return { bavail: this.#parts.faults.isDiskFull ? 0 : 1_000_000, bsize: 4096, blocks: 2_000_000 }
    })
  }

  rename(from: string, to: string): Promise<void> {
    return this.perform('rename', from, () => {
      const { disk, rules } = this.#parts
      const file = this.#require(from)
      this.#requireFolder(to)
      const before = disk.file(to)
      if (before === file) return
      if (before !== null) rules.beforeChange('replace', to, before)
      disk.folder(dirname(to)).change(
        new Map([
          [basename(from), null],
          [basename(to), file],
        ]),
      )
      rules.afterNaming(to, file)
    })
  }

  link(from: string, to: string): Promise<void> {
    return this.perform('link', to, () => {
      const { disk, rules, hasLinks } = this.#parts
      const file = this.#require(from)
      if (!hasLinks) throw systemError('EPERM', 'link', from)
      if (disk.file(to) !== null) throw systemError('EEXIST', 'link', to)
      disk.folder(dirname(to)).change(new Map([[basename(to), file]]))
      rules.afterNaming(to, file)
    })
  }

  unlink(path: string): Promise<void> {
    return this.perform('unlink', path, () => {
      const file = this.#require(path)
      this.#parts.rules.beforeChange('remove', path, file)
      this.#parts.disk.folder(dirname(path)).change(new Map([[basename(path), null]]))
    })
  }

  mkdir(path: string): Promise<void> {
    return this.perform('mkdir', path, () => {
      if (this.#parts.disk.folders.has(path)) throw systemError('EEXIST', 'mkdir', path)
      this.#parts.disk.folder(path)
    })
  }

  readdir(path: string): Promise<string[]> {
    return this.perform('readdir', path, () => {
      this.#requireFolder(`${path}/.`)
      return [...this.#parts.disk.folder(path).names.keys()]
    })
  }

  utimes(path: string, _accessed: unknown, modified: Date | number): Promise<void> {
    return this.perform('utimes', path, () => {
      this.#require(path).modifiedMs = timeOf(modified)
    })
  }

  realpath(path: string): Promise<string> {
    return this.perform('realpath', path, () => path)
  }

  /** Does `effect` some time from now, or fails. */
  perform<Value>(call: string, path: string, effect: () => Value): Promise<Value> {
    const { process, faults, root, rules, trace } = this.#parts
    if (relative(root, path).startsWith('..')) throw new Error(`Outside the folder: ${path}`)
    return process.perform(faults.diskDelayMs(), () => {
      const code = faults.fileSystemFault(call)
      trace.note(`fs ${call} ${basename(path)} ${code ?? ''}`)
      if (code === null) return effect()
      rules.failed(call, path)
      throw systemError(code, call, path)
    })
  }

  /** Waits for a drive that gives no bytes of a file; null: it does. */
  hangs(path: string, signal: AbortSignal): Promise<void> | null {
    const { process, disk } = this.#parts
    return disk.hang.holds(path) ? waitFor(process, signal, ({ done }) => disk.hang.onEnd(done)) : null
  }

  #require(path: string): SimFile {
    const file = this.#parts.disk.file(path)
    if (file === null) throw systemError('ENOENT', 'unlink', path)
    return file
  }

  #requireFolder(path: string): void {
    if (!this.#parts.disk.folders.has(dirname(path))) throw systemError('ENOENT', 'open', path)
  }
}

const FLAGS: Readonly<Record<string, number>> = {
  r: constants.O_RDONLY,
  'r+': constants.O_RDWR,
  w: constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC,
  wx: constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL,
}

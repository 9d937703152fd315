import { basename, dirname } from 'node:path'
import type { Engine, TransferRecord } from '../../../electron/engine/index.ts'
import type { TransferRow } from '../../../shared/transfer/transfer.ts'
import type { SimDisk, SimFile } from '../machine/sim-disk.ts'
import type { DiskRules, NetworkRules } from '../sim-parts.ts'
import type { SimService, Version } from './sim-service.ts'
import type { Timeline } from '../timeline.ts'

/** Requests for one object within a second, and within a minute in which not a byte of it came. */
const MAX_REQUESTS_PER_SECOND = 60
const MAX_VAIN_REQUESTS_PER_MINUTE = 120

interface Traffic {
  second: number
  inSecond: number
  vainSinceMs: number
  inVain: number
}

interface Progress {
  readonly etag: string | null
  readonly confirmedBytes: number
}

/** Whether a name is one of the engine's own while a download is under way. */
function isHidden(path: string): boolean {
  return basename(path).startsWith('.')
}

/** A partial file has its sidecar beside it, which begins with its name. */
function partialPathOf(path: string): string {
  return path.replace(/\.part.*$/, '.part')
}

/** Holds the world to its invariants: notes what must never happen, at the moment it does. */
export class Oracle implements DiskRules, NetworkRules {
  readonly violations: string[] = []
  /** Paths whose files may be replaced: somebody asked for it. */
  readonly replaceable = new Set<string>()
  /** Partial files that stay because the file system would not let them, or what is beside them, go. */
  readonly #excused = new Set<string>()
  readonly #timeline: Timeline
  readonly #disk: SimDisk
  readonly #service: SimService
  readonly #traffic = new Map<string, Traffic>()
  readonly #progress = new Map<string, Progress>()
  readonly #ended = new Set<string>()
  readonly #anew = new Set<string>()
  #limit: { readonly bytesPerSecond: number; readonly sinceMs: number; readonly allowanceBytes: number } | null = null
  #limitedBytes = 0

  constructor(timeline: Timeline, disk: SimDisk, service: SimService) {
    this.#timeline = timeline
    this.#disk = disk
    this.#service = service
  }

  violated(text: string): void {
    this.violations.push(`${text} (at ${this.#timeline.nowMs.toFixed(3)} ms)`)
  }

  beforeChange(kind: 'write' | 'remove' | 'replace', path: string, file: SimFile): void {
    const isPlaceholder = file.bytes.length === 0 && !file.isUsers
    if (isHidden(path)) {
      const shared = kind === 'write' ? this.#publicNameOf(file, dirname(path)) : null
      if (shared !== null) this.violated(`${basename(path)} is written while it is ${shared} already`)
    } else if (!isPlaceholder && !(kind === 'replace' && this.replaceable.has(path))) {
      this.violated(`${kind} of ${path}, which is ${file.isUsers ? "a person's file" : 'complete'}`)
    }
  }

  afterNaming(path: string, file: SimFile): void {
    if (isHidden(path) || file.bytes.length === 0) return
    if (this.#versionOf(file.bytes) === null) {
      this.violated(`${path} is no version of an object; ${this.#differences(file.bytes)}`)
    } else if (!file.durableBytes.equals(file.bytes)) this.violated(`${path} has its name before its bytes are durable`)
  }

  failed(call: string, path: string): void {
    if (call === 'unlink') {
      this.#excused.add(partialPathOf(path))
    } else if (this.#disk.folders.has(path)) {
      const { names, durableNames } = this.#disk.folder(path)
      for (const name of durableNames.keys()) if (!names.has(name)) this.#excused.add(partialPathOf(`${path}/${name}`))
    }
  }

  /** Files of downloads that are no more, and empty ones that only held a name for one. */
  leftBehind(): readonly string[] {
    const left = [...this.#disk.files()].filter(([path, file]) => isHidden(path) || this.#isPlaceholder(file))
    return left.map(([path]) => path).filter((path) => !this.#excused.has(partialPathOf(path)))
  }

  /** What a person sees after a stop: complete versions, and their own files. */
  checkNames(): void {
    for (const [path, file] of this.#disk.files()) {
      if (isHidden(path) || file.isUsers || file.bytes.length === 0) continue
      if (this.#versionOf(file.bytes) === null) this.violated(`After a stop ${path} is no version of an object`)
    }
  }

  /** The record has durably become `completed`. */
  completed(record: TransferRecord): void {
    if (record.direction !== 'download') return
    const { targetPath, key } = record
    const file = this.#disk.folder(dirname(targetPath)).durableNames.get(basename(targetPath))
    const version = file === undefined ? null : this.#versionOf(file.durableBytes, key)
    if (version === null) this.violated(`${key} is said to be completed, but a power cut would leave no ${targetPath}`)
  }

  requested(key: string): void {
    const { nowMs } = this.#timeline
    const traffic = this.#trafficOf(key)
    const second = Math.floor(nowMs / 1000)
    traffic.inSecond = traffic.second === second ? traffic.inSecond + 1 : 1
    traffic.second = second
    if (nowMs - traffic.vainSinceMs > 60_000) {
      traffic.inVain = 0
      traffic.vainSinceMs = nowMs
    }
    traffic.inVain += 1
    if (traffic.inSecond === MAX_REQUESTS_PER_SECOND) this.violated(`Too many requests a second for ${key}`)
    if (traffic.inVain === MAX_VAIN_REQUESTS_PER_MINUTE) this.violated(`Too many vain requests a minute for ${key}`)
  }

  delivered(key: string, bytes: number): void {
    const { nowMs } = this.#timeline
    const traffic = this.#trafficOf(key)
    traffic.inVain = 0
    traffic.vainSinceMs = nowMs
    if (this.#limit === null) return
    const { bytesPerSecond, sinceMs, allowanceBytes } = this.#limit
    this.#limitedBytes += bytes
    const mostBytes = allowanceBytes + (bytesPerSecond * (nowMs - sinceMs)) / 1000
    if (this.#limitedBytes > mostBytes) this.violated(`${this.#limitedBytes} bytes where ${mostBytes} were the limit`)
  }

  leftUnpaid(bytes: number): void {
    this.#limitedBytes -= bytes
  }

  /** @param allowanceBytes what may come at once: the burst, and a block for each connection. */
  limitChanged(bytesPerSecond: number | null, allowanceBytes: number): void {
    this.#limitedBytes = 0
    this.#limit = bytesPerSecond === null ? null : { bytesPerSecond, allowanceBytes, sinceMs: this.#timeline.nowMs }
  }

  /** What a window would show now is compared with what it showed before. */
  observe(engine: Engine): void {
    const { rows } = engine.snapshot()
    for (const row of rows) {
      if (row.status === 'completed') this.#overtake(row, rows)
      const etag = engine.details(row.id)?.etag ?? null
      this.#observeRow(row, { etag, confirmedBytes: row.confirmedBytes })
    }
  }

  /** Another process shows the transfers. */
  forget(): void {
    this.#progress.clear()
  }

  /** Somebody asked for these transfers to begin anew: once each may fall back. */
  beginAnew(ids: readonly string[]): void {
    for (const id of ids) this.#anew.add(id)
  }

  /** The version that `bytes` are, of `key` where given. */
  versionsOf(bytes: Buffer, key: string): readonly Version[] {
    return this.#service.objects.get(key)?.versions.filter((version) => version.bytes.equals(bytes)) ?? []
  }

  /** Others of the same name may have had their file published already, and replaced by this one, before they knew. */
  #overtake({ id, localPath }: TransferRow, rows: readonly TransferRow[]): void {
    if (this.#ended.has(id)) return
    this.#ended.add(id)
    const others = rows.filter((row) => row.id !== id && row.localPath === localPath && row.status !== 'completed')
    this.beginAnew(others.map((row) => row.id))
  }

  #observeRow({ id, key, confirmedBytes, sizeBytes }: TransferRow, now: Progress): void {
    if (sizeBytes !== null && confirmedBytes > sizeBytes)
      this.violated(`${key}: ${confirmedBytes} of ${sizeBytes} bytes`)
    const before = this.#progress.get(id)
    this.#progress.set(id, now)
    if (before === undefined || before.etag !== now.etag || confirmedBytes >= before.confirmedBytes) return
    const object = this.#service.objects.get(key)
    const canContinue = object?.versions.length === 1 && object.isBound
    if (!this.#anew.delete(id) && canContinue)
      this.violated(`${key} fell from ${before.confirmedBytes} to ${confirmedBytes} bytes`)
  }

  /** Where bytes differ from each version of their length. */
  #differences(bytes: Buffer): string {
    const versions = [...this.#service.objects.values()].flatMap((object) => object.versions)
    const alike = versions.filter((version) => version.bytes.length === bytes.length)
    return alike
      .map((version) => {
        const wrong = [...bytes.keys()].filter((index) => bytes[index] !== version.bytes[index])
        return `${version.name}: ${wrong.length} bytes in ${wrong[0]}-${wrong.at(-1)}`
      })
      .join(', ')
  }

  #trafficOf(key: string): Traffic {
    const traffic = this.#traffic.get(key) ?? { second: -1, inSecond: 0, vainSinceMs: 0, inVain: 0 }
    this.#traffic.set(key, traffic)
    return traffic
  }

  #publicNameOf(file: SimFile, folder: string): string | null {
    for (const [name, found] of this.#disk.folder(folder).names) if (found === file && !isHidden(name)) return name
    return null
  }

  #isPlaceholder(file: SimFile): boolean {
    return file.bytes.length === 0 && !file.isUsers && this.#versionOf(file.bytes) === null
  }

  #versionOf(bytes: Buffer, key: string | null = null): Version | null {
    const keys = key === null ? [...this.#service.objects.keys()] : [key]
    return keys.flatMap((one) => this.versionsOf(bytes, one))[0] ?? null
  }
}

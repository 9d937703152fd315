/* eslint-disable no-restricted-syntax -- this thread exists to wait for the disk: an awaited read costs two changes of thread */
import { readSync } from 'node:fs'
import { LANE_BYTES, MD5_LANES, type LaneFill, type Md5Lanes, type Md5Stream } from './md5-lanes.ts'

/** A piece of a file that goes into a stream's MD5. */
export interface Md5Job {
  readonly file: number
  /** Positions of the first byte of the piece and of the byte after its last. */
  readonly start: number
  readonly end: number
  readonly stream: Md5Stream
  /** The stream ends with this piece. */
  readonly isLast: boolean
  /** Memory into which the bytes are copied as well, from its beginning; null if none. */
  readonly copy: Uint8Array | null
  /** How long the job may wait for jobs of other streams, milliseconds. */
  readonly mayWaitMs: number
}

/** Jobs of several streams, hashed side by side. */
export interface Md5Turns {
  /**
   * Resolves when the job is done, or with false if it was given up. Only one job of a stream at a time. `company`: how
   * many streams are open, this one included; no job waits for more than those. Throws the file system's error, and an
   * Error with code `ESHORTREAD`.
   */
  add(job: Md5Job, company: number): Promise<boolean>
  giveUp(job: Md5Job): void
}

interface Entry {
  readonly job: Md5Job
  readonly resolve: (isWhole: boolean) => void
  readonly reject: (failure: unknown) => void
  /** Position of the next byte in the file. */
  at: number
}

/** How many bytes of a lane are hashed before messages are looked at again. */
const TURN_BYTES = 32 * LANE_BYTES

/** Takes jobs in the order in which they came, as many at a time as there are lanes. */
export function createMd5Turns(lanes: Md5Lanes): Md5Turns {
  let ready: Entry[] = []
  let planned: NodeJS.Immediate | null = null
  let waiting: NodeJS.Timeout | undefined
  let waitsUntilMs = Infinity

  function plan(company: number, mayWaitMs: number): void {
    if (planned !== null) return
    const isFull = ready.length >= Math.min(company, MD5_LANES)
    const untilMs = performance.now() + mayWaitMs
    if (!isFull && untilMs >= waitsUntilMs) return
    clearTimeout(waiting)
    if (isFull) {
      planned = setImmediate(turn)
    } else {
      waitsUntilMs = untilMs
      waiting = setTimeout(turn, mayWaitMs)
    }
  }

  function turn(): void {
    planned = null
    waitsUntilMs = Infinity
    for (let bytes = 0; ready.length > 0 && bytes < TURN_BYTES; bytes += LANE_BYTES) step()
    if (ready.length > 0) planned = setImmediate(turn)
  }

  function step(): void {
    const over: (() => void)[] = []
    const fills: LaneFill[] = []
    for (const entry of ready.slice(0, MD5_LANES)) {
      const { job, at, resolve, reject } = entry
      const sizeBytes = Math.min(LANE_BYTES, job.end - at)
      // If a slot can't be filled, the next job gets it.
      const slot = lanes.slots[fills.length]?.subarray(0, sizeBytes) ?? new Uint8Array()
      try {
        readFully(job.file, slot, at)
      } catch (failure) {
        remove(job)
        over.push(() => reject(failure))
        continue
      }
      job.copy?.set(slot, at - job.start)
      entry.at += sizeBytes
      const isWhole = entry.at === job.end
      fills.push({ stream: job.stream, sizeBytes, isLast: job.isLast && isWhole })
      if (!isWhole) continue
      remove(job)
      over.push(() => resolve(true))
    }
    lanes.hash(fills)
    for (const end of over) end()
  }

  function remove(job: Md5Job): void {
    ready = ready.filter((entry) => entry.job !== job)
  }

  return {
    add: (job, company) =>
      new Promise((resolve, reject) => {
        ready.push({ job, resolve, reject, at: job.start })
        plan(company, job.mayWaitMs)
      }),
    giveUp(job) {
      const entry = ready.find((each) => each.job === job)
      remove(job)
      entry?.resolve(false)
    },
  }
}

/** Throws the file system's error, and an Error with code `ESHORTREAD`. */
export function readFully(file: number, bytes: Uint8Array, position: number): void {
  for (let filled = 0; filled < bytes.length;) {
    const bytesRead = readSync(file, bytes, filled, bytes.length - filled, position + filled)
    if (bytesRead === 0) throw shortRead()
    filled += bytesRead
  }
}

/** The file ends before the range does. */
export function shortRead(): Error {
  return Object.assign(new Error('The file is shorter than expected'), { code: 'ESHORTREAD' })
}

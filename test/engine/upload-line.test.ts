import { describe, expect, test } from 'vitest'
import { createUploadLine } from '../../electron/engine/create-upload-line.ts'
import type { BodyToSend, Sending, UploadLine } from '../../electron/engine/upload-line.ts'
import { MIB } from '../../shared/limits.ts'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'

const PART = 5 * MIB
const SLICE = 64 * 1024
const STEP_MS = 20

/** What lies between the line's users and their service. */
interface Way {
  /** All connections together, bytes a second. */
  readonly rate: number
  /** Of each connection. */
  readonly bufferBytes: number
  readonly connectionRate?: number
}

interface Flow {
  readonly sending: Sending
  readonly sizeBytes: number
  handed: number
  carried: number
  isWaiting: boolean
}

/** Sends bodies over a way, each as the HTTP client does: a slice when there is room for it. */
class Sender {
  readonly clock: FakeClock = createFakeClock()
  readonly line: UploadLine
  readonly #way: Way
  readonly #flows = new Set<Flow>()
  readonly answeredAtMs: number[] = []
  movedBytes = 0
  mostAtOnce = 0
  handedBytes = 0
  readonly late: number[] = []
  isStalled = false

  constructor(way: Way, fixedWidth: number | null = null) {
    this.#way = way
    this.line = createUploadLine({ clock: this.clock, isSaturated: () => false, fixedWidth })
  }

  /** Sends `count` bodies one after the other as they get their turns, while `ms` pass. */
  async send(count: number, ms: number, sizeBytes = PART): Promise<void> {
    const stop = new AbortController()
    const begin = async (): Promise<void> => {
      for (let number = 0; number < count; number += 1)
        this.#add(await this.line.enter(this.#asked(sizeBytes, number), stop.signal), sizeBytes)
    }
    const beginning = begin().catch(() => undefined)
    for (let passed = 0; passed < ms && !(this.answeredAtMs.length === count); passed += STEP_MS) {
      await this.clock.advance(STEP_MS)
      if (!this.isStalled) this.#carry()
    }
    stop.abort(new Error('over'))
    await beginning
    for (const { sending } of this.#flows) sending.end()
  }

  #asked(sizeBytes: number, rank: number): BodyToSend {
    return {
      sizeBytes,
      rank,
      isReady: () => true,
      onTaken: (bytes) => (this.movedBytes += bytes),
      limitBytesPerSecond: () => null,
      mayBeCopied: () => true,
    }
  }

  #add(sending: Sending, sizeBytes: number): void {
    const flow: Flow = { sending, sizeBytes, handed: 0, carried: 0, isWaiting: false }
    sending.late.addEventListener('abort', () => this.late.push(this.clock.monotonicMs()))
    this.#flows.add(flow)
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#flows.size)
    void this.#feed(flow)
  }

  async #feed(flow: Flow): Promise<void> {
    const { signal } = new AbortController()
    while (flow.handed < flow.sizeBytes) {
      await flow.sending.turn(signal)
      while (flow.handed - flow.carried >= this.#way.bufferBytes) await this.clock.sleep(STEP_MS, signal)
      const bytes = Math.min(SLICE, flow.sizeBytes - flow.handed)
      flow.handed += bytes
      this.handedBytes += bytes
      flow.sending.handed(bytes)
    }
  }

  /** A step of time on the way: connections share it fairly. */
  #carry(): void {
    let left = (this.#way.rate * STEP_MS) / 1000
    const most = ((this.#way.connectionRate ?? Infinity) * STEP_MS) / 1000
    const busy = [...this.#flows].filter((flow) => flow.handed > flow.carried)
    const quota = new Map(busy.map((flow) => [flow, Math.min(most, flow.handed - flow.carried)]))
    for (let rest = busy; rest.length > 0 && left > 0.5; rest = rest.filter((flow) => (quota.get(flow) ?? 0) > 0.5)) {
      const share = left / rest.length
      for (const flow of rest) {
        const bytes = Math.min(share, quota.get(flow) ?? 0)
        flow.carried += bytes
        quota.set(flow, (quota.get(flow) ?? 0) - bytes)
        left -= bytes
      }
    }
    for (const flow of [...this.#flows]) {
      if (flow.carried < flow.sizeBytes - 1) continue
      this.#flows.delete(flow)
      this.answeredAtMs.push(this.clock.monotonicMs())
      flow.sending.answered()
      flow.sending.end()
    }
  }
}

const DEEP = 64 * MIB

describe.each([
  ['shallow buffers', 256 * 1024],
  ['deep buffers', DEEP],
])('on a slow line with %s', (_, bufferBytes) => {
  test.each([250_000, 1_000_000])(
    'of %i bytes a second parts end one after another, and the line is full',
    async (rate) => {
      const sender = new Sender({ rate, bufferBytes })
      const partMs = (PART * 1000) / rate
      await sender.send(6, 7 * partMs)
      expect(sender.answeredAtMs).toHaveLength(6)
      expect(sender.answeredAtMs[0]).toBeLessThan(1.1 * partMs)
      expect(sender.answeredAtMs[5]).toBeLessThan(1.05 * 6 * partMs)
      expect(sender.mostAtOnce).toBeLessThanOrEqual(3)
      expect(sender.late).toEqual([])
    },
  )

  test('the rate is true once a part was answered', async () => {
    const rate = 500_000
    const sender = new Sender({ rate, bufferBytes })
    await sender.send(6, 40_000)
    expect(sender.line.bytesPerSecond).toBeGreaterThan(0.9 * rate)
    expect(sender.line.bytesPerSecond).toBeLessThan(1.1 * rate)
  })
})

import { isOfDrive } from '../../../../shared/transfer/transfer.ts'
import type { ConnectionGovernors } from '../../core/connections.ts'
import type { Clock } from '../../core/deps.ts'
import type { EngineOptions } from '../../core/requests.ts'
import { hasRoom, type RunningOnLine } from '../../line/line-room.ts'
import { directionOf, type TransferEntry } from '../../transfer/transfer-entry.ts'
import { drivesOf } from '../../volumes/drives.ts'
import { chooseStarts } from './choose-starts.ts'
import type { TransferQueue } from '../rows/transfer-queue.ts'

/** How often to look for room on a line while transfers wait for it, milliseconds. */
const LOOK_AGAIN_MS = 250

interface NextStartsParts {
  readonly queue: TransferQueue
  readonly governors: ConnectionGovernors
  readonly clock: Clock
  /** Returns the current options. */
  readonly options: () => EngineOptions
  /** Called when a line that was full may have room. */
  readonly onRoom: () => void
}

/** Chooses which queued transfers start next, by free slots, by what is busy and by the room on their lines. */
export class NextStarts {
  readonly #parts: NextStartsParts
  #looking: AbortController | null = null

  constructor(parts: NextStartsParts) {
    this.#parts = parts
  }

  /** The transfers to start now. */
  take(busyKeys: { has(key: string): boolean }): readonly TransferEntry[] {
    const { queue, options } = this.#parts
    const { activeTransfers } = options()
    const free = activeTransfers - queue.running.size
    // Transfers that wait for a drive don't block others elsewhere. When the drive is back, at most twice as many run.
    const away = free > 0 ? [] : [...queue.running].filter(waitsForFile)
    const drives = new Set(away.flatMap(({ record }) => [...drivesOf(record)]))
    const slots = free > 0 ? free : Math.min(activeTransfers, away.length) + free
    const running = this.#running()
    const isElsewhere = (entry: TransferEntry): boolean =>
      drives.size === 0 || ![...drivesOf(entry.record)].some((drive) => drives.has(drive))
    const onLine = (entry: TransferEntry, chosen: readonly TransferEntry[]): boolean =>
      isElsewhere(entry) &&
      (options().connectionsPerTransfer !== null || hasRoom(entry, [...running, ...chosen.map(justStarted)]))
    const { chosen, isHeldBack } = chooseStarts(queue.queued.lanes(), busyKeys, { slots, onLine })
    if (isHeldBack && this.#looking === null) void this.#lookAgain((this.#looking = new AbortController()))
    return chosen
  }

  /** Stops looking for room until `take` is called again. */
  stop(): void {
    this.#looking?.abort()
    this.#looking = null
  }

  /** Looks again later: a line has room once it proves to take more, or its transfers wait for something else. */
  async #lookAgain({ signal }: AbortController): Promise<void> {
    try {
      await this.#parts.clock.sleep(LOOK_AGAIN_MS, signal)
    } catch (failure) {
      if (!signal.aborted) throw failure
      return
    }
    this.#looking = null
    this.#parts.onRoom()
  }

  #running(): readonly RunningOnLine[] {
    const { queue, governors } = this.#parts
    return [...queue.running].map((entry) => ({
      lineKey: entry.lineKey,
      leftBytes: entry.leftBytes,
      status: entry.state.status,
      connections: entry.host === null ? null : governors.connections(entry.host, directionOf(entry.record)),
    }))
  }
}

function waitsForFile({ state, progress }: TransferEntry): boolean {
  const wait = progress?.wait ?? null
  return state.status === 'waiting' && wait !== null && isOfDrive(wait.reason)
}

function justStarted({ lineKey, leftBytes }: TransferEntry): RunningOnLine {
  return { lineKey, leftBytes, status: 'preparing', connections: null }
}

import { isOfDrive } from '../../../../shared/transfer/transfer.ts'
import type { ConnectionGovernors } from '../../core/connections.ts'
import type { Clock } from '../../core/deps.ts'
import type { EngineOptions } from '../../core/requests.ts'
import { hasRoom, type RunningOnLine } from '../../line/line-room.ts'
import { directionOf, type TransferEntry } from '../../transfer/transfer-entry.ts'
import { drivesOf } from '../../volumes/drives.ts'
import { chooseStarts } from './choose-starts.ts'
import type { TransferQueue } from '../rows/transfer-queue.ts'

/** Room on a line is looked for this often while transfers wait for it, milliseconds. */
const LOOK_AGAIN_MS = 250

interface NextStartsParts {
  readonly queue: TransferQueue
  readonly governors: ConnectionGovernors
  readonly clock: Clock
  /** As they are now. */
  readonly options: () => EngineOptions
  /** Called when a line that was full may have room. */
  readonly onRoom: () => void
}

/** Which queued transfers start next, by slots, by what is busy and by the room on their lines. */
export class NextStarts {
  readonly #parts: NextStartsParts
  #looking: AbortController | null = null

  constructor(parts: NextStartsParts) {
    this.#parts = parts
  }

  /** Those that are to start now. */
  take(busyKeys: { has(key: string): boolean }): readonly TransferEntry[] {
    const { queue, options } = this.#parts
    const { activeTransfers } = options()
    const free = activeTransfers - queue.running.size
    // What waits for a drive is in the way of nothing that is elsewhere. When it is back there are twice as many at most.
    const away = free > 0 ? [] : [...queue.running].filter(waitsForFile)
    const drives = new Set(away.flatMap(({ record }) => [...drivesOf(record)]))
    const slots = free > 0 ? free : Math.min(activeTransfers, away.length) + free
    const running = this.#running()
    const isElsewhere = (entry: TransferEntry): boolean =>
      drives.size === 0 || ![...drivesOf(entry.record)].some((drive) => drives.has(drive))
    const onLine = (entry: TransferEntry, chosen: readonly TransferEntry[]): boolean =>
      isElsewhere(entry) &&
      (options().connectionsPerTransfer !== null || hasRoom(entry, [...running, ...chosen.map(justStarted)]))
    const { chosen, isHeldBack } = chooseStarts(queue.line.lanes(), busyKeys, { slots, onLine })
    if (isHeldBack && this.#looking === null) void this.#lookAgain((this.#looking = new AbortController()))
    return chosen
  }

  /** Does not look for room any more until something is taken again. */
  stop(): void {
    this.#looking?.abort()
    this.#looking = null
  }

  /** A line has room once it shows that it takes more, or what is on it waits for something else. */
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

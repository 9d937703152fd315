import type { EngineDeps } from '../../core/deps.ts'
import type { EngineOptions } from '../../core/requests.ts'
import type { AbortQueue } from '../../upload/abort-queue.ts'
import type { TransferQueue } from '../rows/transfer-queue.ts'
import type { RunPool } from '../runs/run-pool.ts'

/** What commands act on. */
export interface CommandParts {
  readonly deps: EngineDeps
  readonly queue: TransferQueue
  readonly pool: RunPool
  readonly aborts: AbortQueue
  /** Returns the current options. */
  readonly options: () => EngineOptions
  /** Aborted when the engine closes. */
  readonly closing: AbortSignal
  /** Called after a command: there may be nothing left to do. */
  readonly onDone: () => void
}

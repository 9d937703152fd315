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
  /** As they are now. */
  readonly options: () => EngineOptions
  /** Aborted when the engine closes. */
  readonly closing: AbortSignal
  /** Called when a command is done with: there may be nothing left to do. */
  readonly onDone: () => void
}

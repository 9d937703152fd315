import type { RateLimits } from '../../../shared/settings.ts'
import type { TransferDirection, TransferId } from '../../../shared/transfer/transfer.ts'
import type { Clock } from '../core/deps.ts'
import type { RateLimiter } from '../core/rate-limiter.ts'
import { createTokenBucket, type TokenBucket } from './token-bucket.ts'

/** The bandwidth limits of an engine: one for everything, below it one a direction, below that one a transfer. */
export interface EngineLimits {
  set(limits: RateLimits): void
  /** Takes effect at once if the transfer runs. */
  setTransfer(id: TransferId, bytesPerSecond: number | null): void
  /** The limiter that a run asks. Call `leave` when the run is over. */
  enter(id: TransferId, direction: TransferDirection, bytesPerSecond: number | null): RateLimiter
  leave(id: TransferId): void
}

export function createEngineLimits(clock: Clock, limits: RateLimits): EngineLimits {
  const total = createTokenBucket(clock, limits.totalBytesPerSecond)
  const directions: Readonly<Record<TransferDirection, TokenBucket>> = {
    upload: total.child(limits.uploadBytesPerSecond),
    download: total.child(limits.downloadBytesPerSecond),
  }
  const transfers = new Map<TransferId, TokenBucket>()
  return {
    set({ totalBytesPerSecond, uploadBytesPerSecond, downloadBytesPerSecond }) {
      total.setLimit(totalBytesPerSecond)
      directions.upload.setLimit(uploadBytesPerSecond)
      directions.download.setLimit(downloadBytesPerSecond)
    },
    setTransfer: (id, bytesPerSecond) => transfers.get(id)?.setLimit(bytesPerSecond),
    enter(id, direction, bytesPerSecond) {
      const bucket = directions[direction].child(bytesPerSecond)
      transfers.set(id, bucket)
      return bucket
    },
    leave: (id) => void transfers.delete(id),
  }
}

import { STORE_ERROR, StoreError } from '../../../electron/stores/port/store-error.ts'
import { HEADERS_TIMEOUT_MS } from '../../../shared/limits.ts'
import type { Faults } from '../faults.ts'
import type { Random } from '../random.ts'
import { networkError } from '../download/sim-store.ts'
import { refused } from './upload-service.ts'

/** A refusal that is not true. */
export type Lie = readonly [code: string, httpStatus: number]

/** What becomes of a request to upload something. */
export interface Fate {
  readonly failure: StoreError | null
  readonly isCarriedOut: boolean
  readonly waitMs: number
}

const DELIVERED: Fate = { failure: null, isCarriedOut: true, waitMs: 0 }

/** Draws what becomes of a request, `lies` among it. */
export function drawFate(faults: Faults, random: Random, lies: readonly Lie[]): Fate {
  const lost = (failure: StoreError, waitMs = 0): Fate => ({ failure, isCarriedOut: random.chance(0.5), waitMs })
  if (faults.strikes('shortBody')) return lost(networkError('The answer was lost'))
  if (faults.strikes('stall')) return lost(networkError('No answer in time'), HEADERS_TIMEOUT_MS)
  if (faults.strikes('serverError')) return lost(refused('InternalError', random.pick([500, 502, 504])))
  if (faults.strikes('rangeIgnored')) return lost(new StoreError(STORE_ERROR.badAnswer, 'Odd', { httpStatus: 200 }))
  if (faults.strikes('busy')) {
    const failure = refused('SlowDown', 503, random.pick([null, 0, 1000, 20_000]))
    return { failure, isCarriedOut: false, waitMs: 0 }
  }
  if (lies.length > 0 && faults.strikes('oddResponse') && random.chance(0.5)) {
    const [code, httpStatus] = random.pick(lies)
    return { failure: refused(code, httpStatus), isCarriedOut: httpStatus === 200 && random.chance(0.5), waitMs: 0 }
  }
  if (!faults.strikes('refusal')) return DELIVERED
  return { failure: refused('AccessDenied', 403), isCarriedOut: false, waitMs: 0 }
}

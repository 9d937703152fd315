// How many tries at a service that fails its transfers may spend together, so that retries don't become its load.

import { STORE_ERROR, StoreError } from '../../stores/port/store-error.ts'
import type { StoreLocation } from '../core/records.ts'
import type { RetryBudget } from '../core/retry-policy.ts'

/** As the AWS SDKs count ("standard" retry mode), so that many requests do not multiply what a server fails at. */
const CAPACITY = 500
const RETRY_COST = 5
const SILENCE_COST = 10

export function createRetryBudget(): RetryBudget {
  let left = CAPACITY
  return {
    spend(failure) {
      const cost = isSilence(failure) ? SILENCE_COST : RETRY_COST
      if (left < cost) return false
      left -= cost
      return true
    },
    refund() {
      left = Math.min(CAPACITY, left + RETRY_COST)
    },
  }
}

/** Nothing came: the service has more than it can do, or is not there. */
function isSilence(failure: unknown): boolean {
  return failure instanceof StoreError && failure.code === STORE_ERROR.network && failure.httpStatus === null
}

/** One budget for each service, made when first asked for. */
export function createRetryBudgets(): (location: StoreLocation) => RetryBudget {
  const budgets = new Map<string, RetryBudget>()
  return (location) => {
    const service = location.kind === 'place' ? location.placeId : new URL(location.url).origin
    const budget = budgets.get(service) ?? createRetryBudget()
    budgets.set(service, budget)
    return budget
  }
}

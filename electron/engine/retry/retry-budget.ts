// Limits the retries that all transfers of a failing service make together, so that they don't become its load.

import { STORE_ERROR, StoreError } from '../../stores/port/store-error.ts'
import type { StoreLocation } from '../core/records.ts'
import type { RetryBudget } from '../core/retry-policy.ts'

/** The numbers of the AWS SDKs ("standard" retry mode): many requests don't multiply the load on a failing server. */
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

/** No answer came: the service is overloaded, or not there. */
function isSilence(failure: unknown): boolean {
  return failure instanceof StoreError && failure.code === STORE_ERROR.network && failure.httpStatus === null
}

/** One budget for each service, made when first needed. */
export function createRetryBudgets(): (location: StoreLocation) => RetryBudget {
  const budgets = new Map<string, RetryBudget>()
  return (location) => {
    const service = location.kind === 'place' ? location.placeId : new URL(location.url).origin
    const budget = budgets.get(service) ?? createRetryBudget()
    budgets.set(service, budget)
    return budget
  }
}

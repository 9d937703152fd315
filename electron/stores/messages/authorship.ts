// Tells the responses of a service from those of something in front of it.

import type { HttpResponse } from '../http/exchange.ts'
import { STORE_ERROR, StoreError } from '../port/store-error.ts'
import { leave, requestIdOf } from './error-responses.ts'
import { badMessage } from './web-page.ts'

/** What the responses of a service have in common, as far as they have shown it. */
export interface Authorship {
  /** The service gives request ids, if not with every operation. */
  readonly givesIds: boolean
  /**
   * Returns a response that says that something is done or there. Leaves it and throws a StoreError if something else
   * than the service has written it: earlier ones of the operation had a request id, and this one has none. A network
   * that wants a sign-in first answers in the place of the service.
   */
  own<Response extends HttpResponse & { readonly operation: string }>(response: Response): Promise<Response>
}

/** Knows nothing of the service yet. */
export function createAuthorship(): Authorship {
  const operations = new Set<string>()
  return {
    get givesIds() {
      return operations.size > 0
    },
    async own(response) {
      if (response.status >= 300) return response
      const { operation } = response
      if (requestIdOf(response) !== null) operations.add(operation)
      else if (operations.has(operation)) {
        await leave(response)
        throw notOwn(response)
      }
      return response
    },
  }
}

function notOwn(response: HttpResponse & { readonly operation: string }): StoreError {
  const error = badMessage(response, 'no request id, unlike the service’s own answers')
  return new StoreError(STORE_ERROR.networkSignIn, error.message, { httpStatus: response.status })
}

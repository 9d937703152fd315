import { RequestError } from './request-error.ts'
import { message } from '../../../shared/language/message.ts'

/** Work that can be given up by the one who asked for it. */
export interface Tickets {
  /**
   * Runs `work`, whose signal is aborted when the ticket is given back meanwhile; without a ticket it never is. Throws
   * what `work` throws; the signal's reason is a RequestError.
   */
  during<Value>(ticket: string | undefined, work: (signal: AbortSignal) => Promise<Value>): Promise<Value>
  /** Of work that is done, or was never begun, nothing comes. */
  readonly giveBack: (ticket: string) => void
}

export function createTickets(): Tickets {
  const running = new Map<string, AbortController>()
  return {
    async during(ticket, work) {
      const controller = new AbortController()
      if (ticket !== undefined) running.set(ticket, controller)
      try {
        return await work(controller.signal)
      } finally {
        if (ticket !== undefined) running.delete(ticket)
      }
    },
    giveBack(ticket) {
      running.get(ticket)?.abort(new RequestError(message('services.object.given-up')))
    },
  }
}

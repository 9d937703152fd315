import { RequestError } from './request-error.ts'
import { message } from '../../../shared/language/message.ts'

/** Work that whoever asked for it can give up. */
export interface Tickets {
  /**
   * Runs `work`. Its signal is aborted, with a RequestError, if the ticket is given back meanwhile; without a ticket it
   * never is. Throws what `work` throws.
   */
  during<Value>(ticket: string | undefined, work: (signal: AbortSignal) => Promise<Value>): Promise<Value>
  /** Has no effect on work that has ended or never began. */
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

import { useState } from 'react'
import { errorOf } from '../../../shared/language/worded-error.ts'

export interface Submit {
  readonly isBusy: boolean
  /** Why the last try was refused, in the current language. */
  readonly error: string | null
  readonly submit: (send: () => Promise<unknown>) => void
}

/** Sends a form, once at a time. Calls `onDone` on success, and keeps the error otherwise. */
export function useSubmit(onDone: () => void): Submit {
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<Error | null>(null)

  async function send(work: () => Promise<unknown>): Promise<void> {
    setIsBusy(true)
    setError(null)
    try {
      await work()
      onDone()
    } catch (failure) {
      setError(errorOf(failure, 'window.our-fault'))
    } finally {
      setIsBusy(false)
    }
  }

  return { isBusy, error: error?.message ?? null, submit: (work) => void send(work) }
}

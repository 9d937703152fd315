import { useState } from 'react'
import { t } from '../../../shared/language/translate.ts'

export interface Submit {
  readonly isBusy: boolean
  /** Why the last try was refused. */
  readonly error: string | null
  readonly submit: (send: () => Promise<unknown>) => void
}

/** Sends a form once at a time; calls `onDone` when it was taken, keeps the sentence when it was not. */
export function useSubmit(onDone: () => void): Submit {
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)

  async function send(work: () => Promise<unknown>): Promise<void> {
    setIsBusy(true)
    setError(null)
    try {
      await work()
      onDone()
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : t('window.our-fault'))
    } finally {
      setIsBusy(false)
    }
  }

  return { isBusy, error, submit: (work) => void send(work) }
}

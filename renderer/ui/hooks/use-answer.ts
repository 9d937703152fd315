import { useEffect, useState } from 'react'
import { t } from '../../../shared/language/translate.ts'

/** A selection that moves on within this time is not asked about. */
const STAYS_MS = 200

export interface Answer<Value> {
  /** Null until it has come. */
  readonly value: Value | null
  /** Why there is none, one sentence. */
  readonly error: string | null
}

/** Asks once, when a person has stayed for a moment; what they leave before it has come is given up. */
export function useAnswer<Value>(ask: (signal: AbortSignal) => Promise<Value>): Answer<Value> {
  const [answer, setAnswer] = useState<Answer<Value>>({ value: null, error: null })
  const [first] = useState(() => ask)
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    const timer = setTimeout(() => {
      first(signal).then(
        (value) => {
          if (!signal.aborted) setAnswer({ value, error: null })
        },
        (failure: unknown) => {
          const error = failure instanceof Error ? failure.message : t('transfer.row.internal')
          if (!signal.aborted) setAnswer({ value: null, error })
        },
      )
    }, STAYS_MS)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [first])
  return answer
}

import { useEffect, useState } from 'react'
import { errorOf } from '../../../shared/language/worded-error.ts'

/** Nothing is requested for a selection that moves on within this time, milliseconds. */
const STAYS_MS = 200

export interface Answer<Value> {
  /** Null until it has arrived. */
  readonly value: Value | null
  /** Why there is none, as a sentence in the current language. */
  readonly error: string | null
}

interface Came<Value> extends Pick<Answer<Value>, 'value'> {
  readonly error: Error | null
}

/** Requests a value once, after a moment's delay. Gives it up if the component is left before the answer. */
export function useAnswer<Value>(ask: (signal: AbortSignal) => Promise<Value>): Answer<Value> {
  const [answer, setAnswer] = useState<Came<Value>>({ value: null, error: null })
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
          if (!signal.aborted) setAnswer({ value: null, error: errorOf(failure, 'transfer.row.internal') })
        },
      )
    }, STAYS_MS)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [first])
  return { value: answer.value, error: answer.error?.message ?? null }
}

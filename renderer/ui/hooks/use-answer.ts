import { useEffect, useState } from 'react'
import { errorOf } from '../../../shared/language/worded-error.ts'

/** A selection that moves on within this time is not asked about. */
const STAYS_MS = 200

export interface Answer<Value> {
  /** Null until it has come. */
  readonly value: Value | null
  /** Why there is none, one sentence in the language of now. */
  readonly error: string | null
}

interface Came<Value> extends Pick<Answer<Value>, 'value'> {
  readonly error: Error | null
}

/** Asks once, when a person has stayed for a moment; what they leave before it has come is given up. */
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

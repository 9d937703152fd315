import { useRef, useState } from 'react'
import { errorOf } from '../../../shared/language/worded-error.ts'
import { noteRemoved } from '../../state/browse-store.ts'
import type { StoppableWork } from './stoppable-work.ts'

export type WorkState = 'asking' | 'running' | 'stopping' | 'stopped'

/** Does work when told to, and takes the lines that are done with off the list. `onDone` is called when all is done. */
export function useStoppableWork(onDone: (done: number) => void) {
  const [state, setState] = useState<WorkState>('asking')
  const [done, setDone] = useState(0)
  const [error, setError] = useState<Error | null>(null)
  const running = useRef<AbortController | null>(null)

  /** Returns whether everything is done. Never rejects: `error` says what went wrong. */
  async function go(work: StoppableWork): Promise<boolean> {
    const { signal } = (running.current = new AbortController())
    setState('running')
    setError(null)
    let count = done
    try {
      const isAll = await work.run((now, gone) => {
        count = now
        setDone(now)
        noteRemoved(gone)
      }, signal)
      if (isAll) onDone(count)
      return isAll
    } catch (failure) {
      setError(errorOf(failure, 'transfer.row.internal'))
      return false
    } finally {
      setState('stopped')
    }
  }

  return {
    done,
    state,
    error: error?.message ?? null,
    go,
    stop: () => {
      setState('stopping')
      running.current?.abort()
    },
  }
}

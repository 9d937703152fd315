import { useRef, useState } from 'react'
import { errorOf } from '../../../shared/language/worded-error.ts'
import { requestUntil } from '../../bridge.ts'
import { noteFilled, noteRemoved } from '../../state/browse-store.ts'
import type { BrowseLocation } from '../../state/objects/location.ts'
import { createMoving, type MovePlan, type Moving } from './move-entries.ts'

export type MovingState = 'asking' | 'running' | 'stopping' | 'stopped'

/** Moves lines as planned, and shows in the list what has moved. `onDone` is called when all have. */
export function useMoving({ placeId, bucket }: BrowseLocation, onDone: (moved: number) => void) {
  const [state, setState] = useState<MovingState>('asking')
  const [moved, setMoved] = useState(0)
  const [error, setError] = useState<Error | null>(null)
  /** The last move, to be continued while the plan stays the same. */
  const last = useRef<{ readonly name: string; readonly moving: Moving } | null>(null)
  const running = useRef<AbortController | null>(null)

  function movingOf(plan: MovePlan): Moving {
    const name = JSON.stringify(plan)
    const address = { placeId, bucket }
    if (last.current?.name !== name) {
      const moving = createMoving(
        {
          move: (some, signal) => requestUntil(signal, 'objects:move', { ...address, ...some }),
          movePage: (page, signal) => requestUntil(signal, 'objects:move-page', { ...address, ...page }),
        },
        plan,
      )
      last.current = { name, moving }
    }
    return last.current.moving
  }

  async function go(plan: MovePlan): Promise<void> {
    const moving = movingOf(plan)
    const { signal } = (running.current = new AbortController())
    setState('running')
    setError(null)
    let count = moved
    try {
      const isAll = await moving.run((now, gone) => {
        count = now
        setMoved(now)
        noteRemoved(gone)
      }, signal)
      if (isAll) return onDone(count)
    } catch (failure) {
      setError(errorOf(failure, 'transfer.row.internal'))
    } finally {
      setState('stopped')
    }
    // Some may have arrived.
    for (const { to } of [...plan.objects, ...plan.folders]) noteFilled({ placeId, bucket, prefix: to })
  }

  return {
    moved,
    state,
    error: error?.message ?? null,
    start: (plan: MovePlan) => void go(plan),
    stop: () => {
      setState('stopping')
      running.current?.abort()
    },
  }
}

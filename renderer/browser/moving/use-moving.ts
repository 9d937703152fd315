import { useRef } from 'react'
import { requestUntil } from '../../bridge.ts'
import { noteFilled } from '../../state/browse-store.ts'
import type { BrowseLocation } from '../../state/objects/location.ts'
import type { StoppableWork } from '../work/stoppable-work.ts'
import { useStoppableWork } from '../work/use-stoppable-work.ts'
import { createMoving, type MovePlan } from './move-entries.ts'

/** Moves lines as planned, and shows in the list what has moved. `onDone` is called when all have. */
export function useMoving({ placeId, bucket }: BrowseLocation, onDone: (moved: number) => void) {
  const { done: moved, state, error, go, stop } = useStoppableWork(onDone)
  /** The last move, to be continued while the plan stays the same. */
  const last = useRef<{ readonly name: string; readonly moving: StoppableWork } | null>(null)

  function movingOf(plan: MovePlan): StoppableWork {
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

  async function start(plan: MovePlan): Promise<void> {
    if (await go(movingOf(plan))) return
    // Some may have arrived.
    for (const { to } of [...plan.objects, ...plan.folders]) noteFilled({ placeId, bucket, prefix: to })
  }

  return { moved, state, error, start: (plan: MovePlan) => void start(plan), stop }
}

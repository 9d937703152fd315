import { listen, request } from './bridge.ts'
import { carryOut } from './commands.ts'
import { run } from './state/actions.ts'
import { loadApp } from './state/app-store.ts'
import { connectQueue } from './state/connect.ts'
import { connectDetails } from './state/details-store.ts'
import { applyToQueue, resetQueue } from './state/queue-store.ts'
import { connectShownIds } from './state/shown-ids.ts'
import { forgetRows, showNotice } from './state/ui-store.ts'

const SNAPSHOT_RETRY_MS = 500

/** Connects the stores with main, for as long as the window lives. */
export function start(): void {
  connectShownIds()
  connectDetails()
  connectQueue(
    {
      snapshot: () => request('queue:snapshot', null),
      onDelta: (listener) => listen('queue:delta', listener),
      later: (callback) => setTimeout(callback, SNAPSHOT_RETRY_MS),
    },
    {
      reset: resetQueue,
      apply: (delta) => {
        applyToQueue(delta)
        if (delta.removed.length > 0) forgetRows(delta.removed)
      },
    },
  )
  listen('menu:command', carryOut)
  listen('app:notice', ({ text }) => {
    showNotice(text)
  })
  run(loadApp())
}

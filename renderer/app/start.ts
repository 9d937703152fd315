import type { TransferId } from '../../shared/transfer/transfer.ts'
import { showFilling, showUploaded } from '../actions/browse-actions.ts'
import { reviewStopped, reviewStops } from '../actions/earlier-uploads.ts'
import { connectLinks } from '../actions/links/offer-links.ts'
import { listen, request } from '../bridge.ts'
import { carryOutOfMenu } from '../commands/carry-out.ts'
import { connectMenu } from '../commands/menu-facts.ts'
import { appStore, loadApp, showSettings } from '../state/app-store.ts'
import { latestAdding } from '../state/queue/adding.ts'
import { Batches } from '../state/queue/batch-summary.ts'
import { connectQueue } from '../state/queue/connect.ts'
import { connectDetails } from '../state/details-store.ts'
import { connectPendingActions, forgetPendingActions } from '../state/queue/pending-actions.ts'
import { applyToQueue, liveRow, onStatusChanges, resetQueue } from '../state/queue/queue-store.ts'
import { connectKeptView } from '../state/kept-view.ts'
import { connectNameCounts } from '../state/queue/name-counts.ts'
import { beginAct, createAddedRevealer } from '../state/reveal-added.ts'
import { connectOpenFolders } from '../state/open-folders.ts'
import { connectPlans } from '../state/plans-store.ts'
import { connectPlaceLights } from '../state/queue/place-lights.ts'
import { connectShownIds } from '../state/shown-ids.ts'
import { connectUpdates } from '../state/update-store.ts'
import { connectWaitingLine } from '../state/queue/waiting-line.ts'
import { forgetRows, revealRows } from '../state/ui/row-selection.ts'
import { dismissWhenOver } from '../state/notice-condition.ts'
import { run, showRefusals, showToast } from '../state/ui/messages.ts'
import { batchWords } from '../words/batch-words.ts'
import { t } from '../../shared/language/translate.ts'

const SNAPSHOT_RETRY_MS = 500

function forget(removed: readonly TransferId[]): void {
  if (removed.length === 0) return
  forgetRows(removed)
  forgetPendingActions(removed)
}

/** Connects the stores to main for the lifetime of the window. */
export function start(): void {
  const revealAdded = createAddedRevealer(Date.now())
  const batches = new Batches(Date.now(), latestAdding, ({ uploaded, downloaded, failed }, number) => {
    const done = [...uploaded, ...downloaded]
    const counts = { uploaded: uploaded.length, downloaded: downloaded.length, failed: failed.length }
    const doneRows = done.flatMap((id) => liveRow(id) ?? [])
    const shown = failed.length > 0 ? failed : done
    const show = { label: () => t('commands.show'), onPress: () => revealRows(shown) }
    showToast(() => batchWords(counts, doneRows), [show], `batch ${number}`)
  })
  connectPendingActions()
  connectWaitingLine()
  connectNameCounts()
  connectShownIds()
  connectOpenFolders()
  connectPlaceLights(() => appStore.getState().places)
  connectDetails()
  connectKeptView()
  reviewStops()
  connectQueue(
    {
      snapshot: () => request('queue:snapshot', null),
      onDelta: (listener) => listen('queue:delta', listener),
      later: (callback) => setTimeout(callback, SNAPSHOT_RETRY_MS),
    },
    {
      reset: (snapshot) => {
        forget(resetQueue(snapshot))
      },
      apply: (delta) => {
        applyToQueue(delta)
        revealAdded(delta.added)
        batches.follow(delta)
        showFilling(delta.patched, performance.now())
        forget(delta.removed)
        // A row can be added and stopped within one frame.
        reviewStopped(delta.added.map(({ id }) => id))
      },
    },
  )
  onStatusChanges((changes) => {
    batches.changed(changes)
    for (const { id, to } of changes) {
      const row = to === 'completed' || to === 'failed' ? liveRow(id) : undefined
      if (row !== undefined) showUploaded(row)
    }
  })
  // In the capture phase, before the listeners that act on the event.
  for (const type of ['pointerdown', 'click', 'keydown', 'drop']) window.addEventListener(type, beginAct, true)
  listen('menu:command', (command) => {
    beginAct()
    carryOutOfMenu(command)
  })
  connectMenu()
  dismissWhenOver()
  listen('settings:changed', (settings) => {
    run(showSettings(settings))
  })
  run(connectPlans())
  run(connectUpdates())
  listen('rows:reveal', ({ ids }) => {
    beginAct()
    revealRows(ids)
  })
  listen('app:notice', ({ sentences: told }) => {
    showRefusals(told)
  })
  run(loadApp().then(connectLinks))
}

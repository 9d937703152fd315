import { useEffect, useState } from 'react'
import { X } from 'lucide-react'
import { visibleText } from '../../shared/visible-text.ts'
import styles from './app.module.css'
import hidden from '../ui/unseen.module.css'
import { Dialogs } from './dialogs.tsx'
import { BrowseToolbar } from '../browser/browse-toolbar.tsx'
import { BrowseView } from '../browser/browse-view.tsx'
import { DropZone } from '../uploads/drop-zone.tsx'
import { Inspector } from '../inspector/inspector.tsx'
import { PlaceList } from '../places/place-list.tsx'
import { EmptyState } from '../queue/empty-state.tsx'
import { FilterList } from '../queue/filter-list.tsx'
import { QueueToolbar } from '../queue/queue-toolbar.tsx'
import { StatusBar } from '../queue/status-bar.tsx'
import { TransferQueue } from '../queue/transfer-queue.tsx'
import { createAnnouncer } from './announcer.ts'
import { onStatusChanges } from '../state/queue-store.ts'
import { useConnected, useUi } from '../state/selectors.ts'
import { dismissNotice, dismissToast } from '../state/ui-store.ts'
import { Button } from '../ui/button.tsx'
import { LiveRegion } from '../ui/live-region.tsx'
import { Toast } from '../ui/toast.tsx'
import { useShortcuts } from './use-shortcuts.ts'

/** The frame of the window. */
export function App() {
  const isConnected = useConnected()
  const toast = useUi((state) => state.toast)
  const isBrowsing = useUi((state) => state.view === 'browse')
  useShortcuts()
  return (
    <div className={styles['window']}>
      <header data-pane>
        <h1 className={hidden['unseen']}>Sluice</h1>
        {isBrowsing ? <BrowseToolbar /> : <QueueToolbar />}
      </header>
      <div className={styles['panes']}>
        <nav aria-label="Sidebar" data-pane className={styles['sidebar']}>
          <FilterList />
          <PlaceList />
        </nav>
        <main data-pane className={styles['center']}>
          <NoticeBar />
          {isBrowsing ? (
            <BrowseView />
          ) : (
            <div className={styles['list']}>
              <TransferQueue />
              {isConnected && <EmptyState />}
            </div>
          )}
        </main>
        {!isBrowsing && <Inspector />}
      </div>
      <StatusBar />
      <Announcements />
      {toast !== null && <Toast message={toast} onClose={dismissToast} />}
      <DropZone />
      <Dialogs />
    </div>
  )
}

/** One sentence that stays until it is dismissed. */
function NoticeBar() {
  const notice = useUi((state) => state.notice)
  return notice === null ? null : (
    <div role="alert" className={styles['notice']}>
      <span>{visibleText(notice)}</span>
      <Button look="quiet" label="Dismiss" onPress={dismissNotice}>
        <X size={14} aria-hidden />
      </Button>
    </div>
  )
}

/** Tells screen readers what finished and what needs a person, seldom and by name. */
function Announcements() {
  const [text, setText] = useState('')
  useEffect(
    () =>
      onStatusChanges(createAnnouncer({ say: setText, later: (callback, delayMs) => setTimeout(callback, delayMs) })),
    [],
  )
  return <LiveRegion text={text} />
}

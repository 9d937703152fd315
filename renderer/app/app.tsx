import { useEffect, useState } from 'react'
import { X } from 'lucide-react'
import { I18nProvider } from 'react-aria-components'
import { visibleSentence } from '../ui/overlays/visible-sentence.ts'
import styles from './app.module.css'
import hidden from '../ui/unseen.module.css'
import { Dialogs } from './dialogs.tsx'
import { DropZone } from '../uploads/drop-zone.tsx'
import { Inspector, InspectorHint } from '../inspector/inspector.tsx'
import { PlaceList } from '../places/place-list.tsx'
import { EmptyState } from '../queue/empty-state.tsx'
import { FilterList } from '../queue/bars/filter-list.tsx'
import { PlaceFilterBar } from '../queue/bars/place-filter-bar.tsx'
import { QueueToolbar } from '../queue/bars/queue-toolbar.tsx'
import { StatusBar } from '../queue/bars/status-bar.tsx'
import { TransferQueue } from '../queue/transfer-queue.tsx'
import { CountdownBar } from './countdown-bar.tsx'
import { InspectorButton, SidebarButton } from './pane-buttons.tsx'
import { UpdateBar } from './update-bar.tsx'
import { createAnnouncer } from './announcer.ts'
import { t } from '../../shared/language/translate.ts'
import { useLocaleTag, useWording } from '../state/language.ts'
import { useBrowsing } from './late.ts'
import { onStatusChanges } from '../state/queue/queue-store.ts'
import { useConnected, useUi } from '../state/selectors.ts'
import { closeDrawer, NARROW } from '../state/ui/panes.ts'
import { dismissNotice, dismissToast, isInSheet } from '../state/ui/messages.ts'
import { uiStore } from '../state/ui/ui-store.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { useDrawerFocus } from '../ui/hooks/use-drawer-focus.ts'
import { useMedia } from '../ui/hooks/use-media.ts'
import { LiveRegion } from '../ui/live-region.tsx'
import { SheetNotice } from '../ui/overlays/sheet.tsx'
import { Toasts } from '../ui/overlays/toast.tsx'
import { useShortcuts } from './use-shortcuts.ts'

const APP_NAME = 'Sluice'

/** The window. A change of language or units redraws all of it, except the open sheet, which keeps what was typed. */
export function App() {
  const locale = useLocaleTag()
  const wording = useWording()
  return (
    <I18nProvider locale={locale}>
      <Frame key={wording} />
      <SheetNotice value={<NoticeBar place="sheet" />}>
        <Dialogs />
      </SheetNotice>
    </I18nProvider>
  )
}

/** The frame of the window. */
function Frame() {
  const isConnected = useConnected()
  const toasts = useUi((state) => state.toasts)
  const browsing = useBrowsing(useUi((state) => state.view === 'browse'))
  const isNarrow = useMedia(NARROW)
  const isBeneath = useUi((state) => state.drawer !== null) && isNarrow
  useShortcuts()
  return (
    <div className={styles['window']}>
      <header data-pane className={styles['bars']}>
        <h1 className={hidden['unseen']}>{APP_NAME}</h1>
        <SidebarButton />
        {browsing === null ? <QueueToolbar /> : <browsing.BrowseToolbar />}
        <InspectorButton />
      </header>
      <div className={styles['panes']}>
        <Sidebar />
        <main data-pane className={styles['center']}>
          {/* Stays a landmark while a drawer lies over it. */}
          <div inert={isBeneath} className={styles['contents']}>
            <NoticeBar place="window" />
            <UpdateBar />
            <CountdownBar />
            {browsing !== null ? (
              <browsing.BrowseView />
            ) : (
              <div className={styles['list']}>
                <PlaceFilterBar />
                <TransferQueue />
                {isConnected && <EmptyState />}
                <InspectorHint />
              </div>
            )}
          </div>
        </main>
        <Scrim />
        {browsing === null ? <Inspector /> : <browsing.ObjectInspector />}
      </div>
      <StatusBar />
      <Announcements />
      <Toasts messages={toasts} onClose={dismissToast} />
      <DropZone />
    </div>
  )
}

function Sidebar() {
  const isDrawn = useUi((state) => state.drawer === 'sidebar')
  const element = useDrawerFocus<HTMLElement>(isDrawn)
  return (
    <nav
      ref={element}
      {...(isDrawn ? { tabIndex: -1 } : {})}
      aria-label={t('app.sidebar')}
      data-pane
      data-drawer={isDrawn}
      className={styles['sidebar']}
      // Choosing something closes the drawer, because the result shows beneath it.
      onClickCapture={closeIfChosen}
    >
      <FilterList />
      <PlaceList />
    </nav>
  )
}

function closeIfChosen({ target }: { readonly target: EventTarget }): void {
  if (target instanceof Element && target.closest('[aria-current]') !== null) closeDrawer()
}

/** Closes the drawer over the list on Escape, or on a press beside it. */
function Scrim() {
  const isDrawn = useUi((state) => state.drawer !== null)
  useEffect(() => {
    if (!isDrawn) return undefined
    const onKeyDown = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape' && uiStore.getState().dialog.kind === 'none') closeDrawer()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [isDrawn])
  return isDrawn ? <div role="presentation" className={styles['scrim']} onPointerDown={closeDrawer} /> : null
}

/** One sentence that stays until it is dismissed. */
function NoticeBar({ place }: { readonly place: 'window' | 'sheet' }) {
  const notice = useUi((state) => state.notice)
  const isHere = useUi(isInSheet) === (place === 'sheet')
  return notice === null || !isHere ? null : (
    <div role="alert" className={cx(styles['notice'], place === 'sheet' && styles['inSheet'])}>
      <span>{visibleSentence(notice())}</span>
      <Button look="quiet" label={t('app.dismiss')} onPress={dismissNotice}>
        <X size={14} aria-hidden />
      </Button>
    </div>
  )
}

/** Tells screen readers, rarely and by name, what finished and what needs a person. */
function Announcements() {
  const [text, setText] = useState('')
  useEffect(
    () =>
      onStatusChanges(createAnnouncer({ say: setText, later: (callback, delayMs) => setTimeout(callback, delayMs) })),
    [],
  )
  return <LiveRegion text={text} />
}

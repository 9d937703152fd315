import { useState, type DragEvent } from 'react'
import { ArrowDownToLine } from 'lucide-react'
import { t } from '../../shared/language/translate.ts'
import { downloadDragged } from '../actions/browse-actions.ts'
import { downloadsFolderOf, useApp } from '../state/app-store.ts'
import { browser, setDragging, useBrowse, useDrag } from '../state/browse-store.ts'
import { useSelectedEntries } from '../state/objects/selection.ts'
import { cx } from '../ui/cx.ts'
import styles from './browse-view.module.css'
import { DRAGGED_ROWS } from './row-drag.ts'

/** The area on which dragged rows are dropped to download them. Shown only while rows are dragged. */
export function DownloadZone() {
  const isDragging = useDrag((drag) => drag.isDragging)
  const [isOver, setIsOver] = useState(false)
  const count = useSelectedEntries(browser).length
  const placeId = useBrowse(({ location }) => location?.placeId ?? null)
  const folder = useApp((state) => downloadsFolderOf(state, placeId))
  if (!isDragging) return null
  function take(event: DragEvent): void {
    if (!event.dataTransfer.types.includes(DRAGGED_ROWS)) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'copy'
    setIsOver(true)
  }
  return (
    <div
      role="presentation"
      className={cx(styles['zone'], isOver && styles['over'])}
      onDragEnter={take}
      onDragOver={take}
      onDragLeave={() => setIsOver(false)}
      onDrop={() => {
        setIsOver(false)
        setDragging(false)
        downloadDragged()
      }}
    >
      <ArrowDownToLine size={16} aria-hidden />
      {t('browser.download-to', { count, folder })}
    </div>
  )
}

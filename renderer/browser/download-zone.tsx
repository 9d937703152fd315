import { useState, type DragEvent } from 'react'
import { ArrowDownToLine } from 'lucide-react'
import { t } from '../../shared/language/translate.ts'
import { downloadDragged } from '../actions/browse-actions.ts'
import { downloadsFolderOf, useApp } from '../state/app-store.ts'
import { useDrag } from '../state/browse-store.ts'
import { cx } from '../ui/cx.ts'
import styles from './browse-view.module.css'
import { DRAGGED_ROWS, endRowDrag } from './row-drag.ts'

/** The area on which dragged rows are dropped to download them. Shown only while rows are dragged. */
export function DownloadZone() {
  const rows = useDrag((drag) => drag.rows)
  const [isOver, setIsOver] = useState(false)
  const folder = useApp((state) => downloadsFolderOf(state, rows?.location.placeId ?? null))
  if (rows === null) return null
  function take(event: DragEvent): void {
    if (!event.dataTransfer.types.includes(DRAGGED_ROWS)) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'copy'
    setIsOver(true)
  }
  return (
    <div
      role="presentation"
      data-zone=""
      className={cx(styles['zone'], isOver && styles['over'])}
      onDragEnter={take}
      onDragOver={take}
      onDragLeave={() => setIsOver(false)}
      onDrop={() => {
        setIsOver(false)
        endRowDrag()
        downloadDragged(rows)
      }}
    >
      <ArrowDownToLine size={16} aria-hidden />
      {t('browser.download-to', { count: rows.entries.length, folder })}
    </div>
  )
}

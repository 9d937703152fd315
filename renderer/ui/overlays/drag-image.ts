import type { DragEvent } from 'react'
import { t } from '../../../shared/language/translate.ts'
import { visibleText } from '../../../shared/visible-text.ts'
import styles from './drag-image.module.css'

/** Shows a name, or the number of items, at the pointer: a picture of the row would hide the drop target. */
export function showDragged({ dataTransfer }: DragEvent, name: string, count: number): void {
  const image = document.createElement('div')
  image.className = styles['image'] ?? ''
  image.dir = 'auto'
  image.textContent = count === 1 ? visibleText(name) : t('format.items', { count })
  document.body.append(image)
  dataTransfer.setDragImage(image, 0, 0)
  // Remove it later, because the browser draws it only after the event.
  setTimeout(() => image.remove())
}

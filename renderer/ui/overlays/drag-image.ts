import type { DragEvent } from 'react'
import { t } from '../../../shared/language/translate.ts'
import { visibleText } from '../../../shared/visible-text.ts'
import styles from './drag-image.module.css'

/** Has the pointer carry a name, or how many there are: a picture of the row would hide where they would go. */
export function showDragged({ dataTransfer }: DragEvent, name: string, count: number): void {
  const image = document.createElement('div')
  image.className = styles['image'] ?? ''
  image.dir = 'auto'
  image.textContent = count === 1 ? visibleText(name) : t('format.items', { count })
  document.body.append(image)
  dataTransfer.setDragImage(image, 0, 0)
  // It is drawn when the event is over.
  setTimeout(() => image.remove())
}

import { useEffect, useState } from 'react'
import { pathsOfFiles } from '../bridge.ts'
import { plural } from '../format.ts'
import { takeFiles } from '../actions.ts'
import { linksIn } from '../links/find-places.ts'
import { offerLinks } from '../links/incoming.ts'
import { currentPlace, useApp } from '../state/app-store.ts'
import styles from './drop-zone.module.css'

/** The whole window takes files, dropped or pasted. While they are dragged it says where they would go. */
export function DropZone() {
  const count = useDraggedFiles()
  const place = useApp(currentPlace)
  usePaste()
  if (count === null) return null
  const items = count === 0 ? 'files' : plural(count, 'item')
  return (
    <div className={styles['zone']}>
      <p className={styles['words']}>{place === null ? 'Add a place first' : `Upload ${items} to ${place.name}`}</p>
    </div>
  )
}

/** How many files are being dragged over the window; null when none are. */
function useDraggedFiles(): number | null {
  const [count, setCount] = useState<number | null>(null)
  useEffect(() => {
    const abort = new AbortController()
    const options = { signal: abort.signal }

    window.addEventListener(
      'dragover',
      (event) => {
        if (!carriesFiles(event)) return
        event.preventDefault()
        if (event.dataTransfer === null) return
        event.dataTransfer.dropEffect = 'copy'
        setCount(event.dataTransfer.items.length)
      },
      options,
    )
    window.addEventListener(
      'dragleave',
      (event) => {
        // Only leaving the window itself leads nowhere.
        if (event.relatedTarget === null) setCount(null)
      },
      options,
    )
    window.addEventListener(
      'drop',
      (event) => {
        setCount(null)
        if (!carriesFiles(event)) return
        event.preventDefault()
        takeFiles(pathsOfFiles(event.dataTransfer?.files ?? []), hasFolder(event.dataTransfer))
      },
      options,
    )
    return () => {
      abort.abort()
    }
  }, [])
  return count
}

/** Pasted files are uploaded; pasted links open the sheet that says what they lead to. */
function usePaste(): void {
  useEffect(() => {
    function onPaste(event: ClipboardEvent): void {
      const isForField = event.target instanceof Element && event.target.closest('input, textarea') !== null
      const data = event.clipboardData
      if (isForField || data === null || document.querySelector('[role="dialog"], [role="alertdialog"]') !== null)
        return
      const paths = pathsOfFiles(data.files)
      const text = data.getData('text/plain').trim()
      if (paths.length > 0) takeFiles(paths, hasFolder(data))
      else offerLinks(linksIn(text))
    }
    window.addEventListener('paste', onPaste)
    return () => {
      window.removeEventListener('paste', onPaste)
    }
  }, [])
}

/** Asked while the event is handled: afterwards nothing of it can be read. */
function hasFolder(data: DataTransfer | null): boolean {
  return [...(data?.items ?? [])].some((item) => item.webkitGetAsEntry()?.isDirectory === true)
}

function carriesFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false
}

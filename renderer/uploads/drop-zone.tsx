import { useEffect, useState } from 'react'
import { t } from '../../shared/language/translate.ts'
import { areDraggedOut, mayBeDraggedOut } from '../actions/drag-out.ts'
import { listedLinks } from '../actions/links/link-lists.ts'
import { offerLinksIn } from '../actions/links/offer-links.ts'
import { takeFiles } from '../actions/upload-actions.ts'
import { pathsOfFiles } from '../bridge.ts'
import { currentPlace, placeById, useApp } from '../state/app-store.ts'
import { setDropTarget } from '../state/browse-store.ts'
import { endSprings, holdOver, type Spring } from '../state/springs.ts'
import { locationName, type BrowseLocation } from '../state/objects/location.ts'
import { openWhenFree } from '../state/ui/open-dialogs.ts'
import { run } from '../state/ui/messages.ts'
import { dropTarget, isSame, type DropTarget } from './drop-target.ts'
import styles from './drop-zone.module.css'

/** The whole window accepts dropped or pasted files. While files are dragged, it says where they would go. */
export function DropZone() {
  const dragged = useDraggedFiles()
  usePaste()
  if (dragged === null) return null
  return (
    <div className={styles['zone']}>
      <p className={styles['words']}>
        <DropWords {...dragged} />
      </p>
    </div>
  )
}

function DropWords({ count, target: { location, needsBucket } }: Dragged) {
  const current = useApp(currentPlace)
  const place = useApp((state) => (location === null ? current : placeById(state, location.placeId)))
  if (place === null) return t('uploads.drop.no-place')
  if (needsBucket) return t('uploads.drop.needs-bucket')
  if (location?.bucket === '') return t('uploads.drop.to-bucket-of', { count, place: place.name })
  return t('uploads.drop.to', { count, to: location === null ? place.name : locationName(location, place) })
}

interface Dragged {
  readonly count: number
  readonly target: DropTarget
}

/** The files that are being dragged over the window; null when none are. */
function useDraggedFiles(): Dragged | null {
  const [dragged, setDragged] = useState<Dragged | null>(null)
  useEffect(() => {
    const abort = new AbortController()
    const options = { signal: abort.signal }
    let isOver = false
    function end(isDropped: boolean): void {
      isOver = false
      setDragged(null)
      setDropTarget(null, null)
      endSprings(isDropped)
    }

    function take(event: DragEvent): void {
      if (!carriesFiles(event)) return
      event.preventDefault()
      if (event.dataTransfer === null) return
      isOver = true
      const target = dropTarget(event.target)
      event.dataTransfer.dropEffect = 'copy'
      if (isList(target) && mayBeDraggedOut()) return end(false)
      const count = event.dataTransfer.items.length
      setDropTarget(target.key, target.placeId)
      holdOver(springOf(target))
      setDragged((before) => (before?.count === count && isSame(before.target, target) ? before : { count, target }))
    }

    // A row that moves under the pointer right before the drop gets `dragenter` but no `dragover` yet.
    window.addEventListener('dragenter', take, options)
    window.addEventListener('dragover', take, options)
    window.addEventListener(
      'dragleave',
      (event) => {
        // Without a related target, the pointer has left the window.
        if (isOver && event.relatedTarget === null) end(false)
      },
      options,
    )
    window.addEventListener(
      'drop',
      (event) => {
        if (!carriesFiles(event)) return
        end(true)
        event.preventDefault()
        const target = dropTarget(event.target)
        const files = [...(event.dataTransfer?.files ?? [])]
        if (target.needsBucket || (isList(target) && areDraggedOut(files))) return
        takeDropped(files, hasFolder(event.dataTransfer), target.location)
      },
      options,
    )
    return () => {
      abort.abort()
    }
  }, [])
  return dragged
}

/** What opens if the files stay there. */
function springOf({ location, key, placeId }: DropTarget): Spring | null {
  if (placeId !== null) return { kind: 'place', placeId }
  return location === null || key === null ? null : { kind: 'location', ...location }
}

/** Whether the target is the list of transfers, on which its own files must not be dropped. */
function isList({ location, placeId }: DropTarget): boolean {
  return location === null && placeId === null
}

/** Opens the sheet for lists of links; takes anything else as files. */
function takeDropped(files: readonly File[], withFolder: boolean, location: BrowseLocation | null): void {
  const paths = pathsOfFiles(files)
  const takeAll = (): void => takeFiles(paths, withFolder, location)
  run(
    listedLinks(files).then((links) => {
      if (links.length > 0) openWhenFree({ kind: 'links', links, uploadInstead: takeAll })
      else takeAll()
    }),
  )
}

/** Uploads pasted files; opens the sheet for pasted links. */
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
      else offerLinksIn(text)
    }
    window.addEventListener('paste', onPaste)
    return () => {
      window.removeEventListener('paste', onPaste)
    }
  }, [])
}

/** Whether the data contains a folder. Must be called during the event, after which the data can't be read. */
function hasFolder(data: DataTransfer | null): boolean {
  return [...(data?.items ?? [])].some((item) => item.webkitGetAsEntry()?.isDirectory === true)
}

function carriesFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false
}

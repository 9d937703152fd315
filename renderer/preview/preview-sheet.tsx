import { useEffect, useRef, useState } from 'react'
import type { FilePreview } from '../../shared/ipc/object-requests.ts'
import { joined } from '../../shared/language/joined.ts'
import { t } from '../../shared/language/translate.ts'
import { focusFile, nextFile } from '../actions/preview-files.ts'
import { request, requestUntil } from '../bridge.ts'
import { openDialog } from '../state/ui/open-dialogs.ts'
import { run } from '../state/ui/messages.ts'
import type { PreviewedFile } from '../state/ui/dialog.ts'
import { Button } from '../ui/button.tsx'
import { focusList } from '../ui/hooks/use-focus-back.ts'
import { LiveRegion } from '../ui/live-region.tsx'
import { Sheet, SheetButtons } from '../ui/overlays/sheet.tsx'
import { formatBytes, formatMoment } from '../words/format.ts'
import { Preview } from './preview.tsx'
import styles from './preview-sheet.module.css'

export interface PreviewSheetProps {
  /** The file that is shown first. */
  readonly first: PreviewedFile
  readonly onClose: () => void
}

/** A large preview of a file in a list. Space opens and closes it; up and down go through the list. */
export function PreviewSheet({ first, onClose }: PreviewSheetProps) {
  const [file, setFile] = useState(first)
  const isFirst = file === first
  useKeys(onClose, (by) => setFile((before) => nextFile(before, by) ?? before))
  useFocusOn(file, isFirst)
  const { name, sizeBytes } = file
  return (
    <Sheet title={name} width="broad" onClose={onClose}>
      <LiveRegion text={isFirst ? '' : name} />
      <div className={styles['stage']}>
        <Preview key={keyOfFile(file)} name={name} sizeBytes={sizeBytes} look={(signal) => read(file, signal)} />
      </div>
      <SheetButtons areTogether>
        <span className={styles['facts']}>{factsOf(file)}</span>
        <Button onPress={() => carryOn(file)}>
          {t(file.kind === 'object' ? 'browser.action.download' : 'commands.name.reveal')}
        </Button>
        <Button onPress={onClose}>{t('common.close')}</Button>
      </SheetButtons>
    </Sheet>
  )
}

/** The React key of a file's preview. */
function keyOfFile(file: PreviewedFile): string {
  return file.kind === 'object' ? file.entry.key : `${file.id} ${String(file.number)}`
}

function factsOf(file: PreviewedFile): string {
  const modifiedMs = file.kind === 'object' ? file.entry.modifiedMs : 0
  return joined(formatBytes(file.sizeBytes), modifiedMs === 0 ? '' : formatMoment(modifiedMs))
}

function read(file: PreviewedFile, signal: AbortSignal): Promise<FilePreview> {
  if (file.kind === 'local') return request('shell:preview', { id: file.id, number: file.number })
  const { placeId, bucket } = file.location
  return requestUntil(signal, 'objects:preview', { placeId, bucket, key: file.entry.key })
}

/** Does what a person wants next with a file: downloads it, or shows it in its folder. */
function carryOn(file: PreviewedFile): void {
  if (file.kind === 'object') openDialog({ kind: 'download-picked', location: file.location, entries: [file.entry] })
  else if (file.number === null) run(request('shell:reveal', { id: file.id }))
  else run(request('folder-files:reveal', { id: file.id, path: file.path }))
}

/** Handles the keys of the sheet, except Space on a button and arrows in a text that scrolls. */
function useKeys(onClose: () => void, go: (by: 1 | -1) => void): void {
  const latest = useRef({ onClose, go })
  useEffect(() => {
    latest.current = { onClose, go }
  })
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const { key, target, repeat } = event
      const isIn = (selector: string) => target instanceof Element && target.closest(selector) !== null
      if (key === ' ' && !isIn('button')) {
        if (!repeat) latest.current.onClose()
      } else if ((key === 'ArrowDown' || key === 'ArrowUp') && !isIn('[role="region"]')) {
        latest.current.go(key === 'ArrowDown' ? 1 : -1)
      } else return
      event.preventDefault()
      event.stopPropagation()
    }
    // In the capture phase, before the sheet sees the keys.
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [])
}

/** On closing, moves the focus to the row of the last file that was shown, rather than where it was before. */
function useFocusOn(file: PreviewedFile, isFirst: boolean): void {
  const last = useRef<PreviewedFile | null>(null)
  useEffect(() => {
    last.current = isFirst ? null : file
  })
  useEffect(
    () => () => {
      const seen = last.current
      // Two frames later, because the sheet itself restores the focus in the next one.
      if (seen !== null) requestAnimationFrame(() => requestAnimationFrame(() => focusAgain(seen)))
    },
    [],
  )
}

function focusAgain(file: PreviewedFile): void {
  focusFile(file)
  requestAnimationFrame(() => focusList())
}

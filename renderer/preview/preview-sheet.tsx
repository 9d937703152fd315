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
  /** What is looked at first. */
  readonly first: PreviewedFile
  readonly onClose: () => void
}

/** A large look at a file of a list. Space closes it as it opened it; up and down go through the list. */
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

/** By what React tells one look from another. */
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

/** What a person wants of a file that they have looked at. */
function carryOn(file: PreviewedFile): void {
  if (file.kind === 'object') openDialog({ kind: 'download-picked', location: file.location, entries: [file.entry] })
  else if (file.number === null) run(request('shell:reveal', { id: file.id }))
  else run(request('folder-files:reveal', { id: file.id, path: file.path }))
}

/** Buttons keep their Space, and a text that scrolls its arrows. */
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
    // Before the sheet sees them, and after the press that opened it.
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [])
}

/** Focus comes back to the row that was looked at last, not the one that it left. */
function useFocusOn(file: PreviewedFile, isFirst: boolean): void {
  const last = useRef<PreviewedFile | null>(null)
  useEffect(() => {
    last.current = isFirst ? null : file
  })
  useEffect(
    () => () => {
      const seen = last.current
      // The sheet itself gives focus back in the next frame.
      if (seen !== null) requestAnimationFrame(() => requestAnimationFrame(() => focusAgain(seen)))
    },
    [],
  )
}

function focusAgain(file: PreviewedFile): void {
  focusFile(file)
  requestAnimationFrame(() => focusList())
}

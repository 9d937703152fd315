import { useMemo, useState } from 'react'
import { downloadPicked, keysOf } from '../actions/browse-actions.ts'
import { formatBytes, formatCount, plural } from '../words/format.ts'
import { useApp } from '../state/app-store.ts'
import type { Entry } from '../state/listing.ts'
import type { Spot } from '../state/location.ts'
import { Button } from '../ui/button.tsx'
import { Sheet, SheetButtons, SheetError } from '../ui/sheet.tsx'
import { useSubmit } from '../ui/hooks/use-submit.ts'
import { DestinationFields, type Destination } from '../sheet-parts/destination-fields.tsx'
import { NOT_COUNTED, sumSizes, type FolderSize } from '../sheet-parts/measure-folder.ts'
import { roomFor } from '../sheet-parts/disk-space.ts'
import { useFolderSizes } from '../sheet-parts/use-folder-sizes.ts'
import { useFreeSpace } from '../sheet-parts/use-free-space.ts'

export interface DownloadPickedSheetProps {
  readonly spot: Spot
  readonly entries: readonly Entry[]
  readonly onClose: () => void
}

/** Says what was picked comes to, and asks where it goes. */
export function DownloadPickedSheet({ spot, entries, onClose }: DownloadPickedSheetProps) {
  const defaultFolder = useApp((state) => state.settings.downloadsFolder ?? state.info?.downloadsFolder ?? '')
  const [destination, setDestination] = useState<Destination>({ directory: null, onConflict: 'keep-both' })
  const [added, setAdded] = useState(0)
  const [closing] = useState(() => new AbortController())
  const { signal } = closing
  const { isBusy, error, submit } = useSubmit(() => {
    if (!signal.aborted) onClose()
  })
  const size = useSizeOf(spot, entries)
  const directory = destination.directory ?? defaultFolder
  const room = roomFor(useFreeSpace(directory), size)

  function close(): void {
    closing.abort()
    onClose()
  }

  return (
    <Sheet title={`Download ${nameOf(entries)}`} width="wide" onClose={close}>
      <p role="status">
        {describeSize(size)}
        {added > 0 && ` · ${formatCount(added)} of ${formatCount(entries.length)} added…`}
      </p>
      <DestinationFields destination={{ ...destination, directory }} room={room} onChange={setDestination} />
      <SheetError text={error} />
      <SheetButtons>
        <Button onPress={close}>{added > 0 ? 'Stop' : 'Cancel'}</Button>
        <Button
          takesFocus
          look="solid"
          isDisabled={isBusy || directory === ''}
          onPress={() => {
            submit(() => downloadPicked(spot, entries, { ...destination, directory }, { tell: setAdded, signal }))
          }}
        >
          {size.state === 'counted' && size.objects > 1 ? `Download ${formatCount(size.objects)}` : 'Download'}
        </Button>
      </SheetButtons>
    </Sheet>
  )
}

/** What lines come to; folders are counted meanwhile. */
export function useSizeOf({ placeId, bucket }: Spot, entries: readonly Entry[]): FolderSize {
  const folders = useMemo(() => new Set(keysOf(entries, 'folder')), [entries])
  const counted = useFolderSizes(placeId, folders, bucket)
  const objects = entries.filter(({ kind }) => kind === 'object')
  const sizeBytes = objects.reduce((sum, entry) => sum + entry.sizeBytes, 0)
  const picked: FolderSize = { objects: objects.length, sizeBytes, state: 'counted' }
  return sumSizes([picked, ...[...folders].map((folder) => counted.get(folder) ?? NOT_COUNTED)])
}

/** "1,204 objects, 3.20 GB", as certain as it is. Pure. */
export function describeSize({ objects, sizeBytes, state }: FolderSize): string {
  const sum = `${plural(objects, 'object')}, ${formatBytes(sizeBytes)}`
  if (state === 'counting') return `${sum}, still counting…`
  return state === 'counted' ? sum : `${state === 'more' ? 'More than' : 'At least'} ${sum}`
}

/** The name of one line, or how many there are. Pure. */
export function nameOf(entries: readonly Entry[]): string {
  const [first] = entries
  return entries.length === 1 && first !== undefined ? first.name : plural(entries.length, 'item')
}

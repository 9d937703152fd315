import { useState } from 'react'
import { downloadPicked } from '../actions/browse-actions.ts'
import { AddButtons } from '../sheet-parts/add-buttons.tsx'
import { DestinationFields } from '../sheet-parts/destination-fields.tsx'
import { spaceNeeded } from '../sheet-parts/disk-space.ts'
import { useFreeSpace } from '../sheet-parts/use-free-space.ts'
import { describeSize, nameOf, useSizeOf } from '../sheet-parts/use-size-of.ts'
import { downloadsFolderOf, useApp } from '../state/app-store.ts'
import type { Entry } from '../state/listing.ts'
import type { BrowseLocation } from '../state/location.ts'
import type { Destination } from '../state/ui-store.ts'
import { Button } from '../ui/button.tsx'
import { useSubmit } from '../ui/hooks/use-submit.ts'
import { Sheet, SheetButtons, SheetError } from '../ui/sheet.tsx'
import { formatCount, plural } from '../words/format.ts'

export interface DownloadPickedSheetProps {
  readonly location: BrowseLocation
  readonly entries: readonly Entry[]
  readonly onClose: () => void
}

/** Says what was picked comes to, and asks where it goes. */
export function DownloadPickedSheet({ location, entries, onClose }: DownloadPickedSheetProps) {
  const defaultFolder = useApp((state) => downloadsFolderOf(state, location.placeId))
  const [destination, setDestination] = useState<Destination>({ directory: null, onConflict: 'keep-both' })
  const [added, setAdded] = useState(0)
  const [closing] = useState(() => new AbortController())
  const { signal } = closing
  const { isBusy, error, submit } = useSubmit(() => {
    if (!signal.aborted) onClose()
  })
  const size = useSizeOf(location, entries)
  const directory = destination.directory ?? defaultFolder
  const room = spaceNeeded(useFreeSpace(directory), size)

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
      <SheetButtons areTogether>
        <Button onPress={close}>{added > 0 ? 'Stop' : 'Cancel'}</Button>
        <AddButtons
          label={size.state === 'counted' && size.objects > 1 ? `Download ${plural(size.objects, 'file')}` : 'Download'}
          takesFocus
          isDisabled={isBusy || directory === ''}
          onAdd={(adding) => {
            const saving = { ...destination, directory, ...adding }
            submit(() => downloadPicked(location, entries, saving, { tell: setAdded, signal }))
          }}
        />
      </SheetButtons>
    </Sheet>
  )
}

import { joined } from '../../shared/language/joined.ts'
import { t } from '../../shared/language/translate.ts'
import { AddButtons } from '../sheet-parts/add-buttons.tsx'
import { DestinationFields } from '../sheet-parts/destination-fields.tsx'
import { spaceNeeded } from '../sheet-parts/disk-space.ts'
import { useFreeSpace } from '../sheet-parts/use-free-space.ts'
import { describeSize, nameOf, useSizeOf } from '../sheet-parts/use-size-of.ts'
import { downloadsFolderOf, useApp } from '../state/app-store.ts'
import type { Entry } from '../state/objects/listing.ts'
import type { BrowseLocation } from '../state/objects/location.ts'
import { ANYWHERE } from '../state/ui/dialog.ts'
import { Button } from '../ui/button.tsx'
import { Sheet, SheetButtons, SheetError } from '../ui/overlays/sheet.tsx'
import { downloadLabel } from './download-label.ts'
import { useAdding } from './use-adding.ts'
import { useDestination } from './use-destination.ts'

export interface DownloadPickedSheetProps {
  readonly location: BrowseLocation
  readonly entries: readonly Entry[]
  readonly onClose: () => void
}

/** Shows how much was picked, and asks where it goes. */
export function DownloadPickedSheet({ location, entries, onClose }: DownloadPickedSheetProps) {
  const defaultFolder = useApp((state) => downloadsFolderOf(state, location.placeId))
  const { saving, setDestination, backToDefault, keepFolder } = useDestination(ANYWHERE, defaultFolder)
  const { added, isBusy, error, add, close } = useAdding(onClose)
  const size = useSizeOf(location, entries)
  const room = spaceNeeded(useFreeSpace(saving.directory), size)

  return (
    <Sheet title={t('downloads.picked', { name: nameOf(entries) })} width="wide" onClose={close}>
      <p role="status">
        {joined(
          describeSize(size),
          added > 0 ? t('downloads.picked.added', { done: added, total: entries.length }) : '',
        )}
      </p>
      <DestinationFields destination={saving} onUseDefault={backToDefault} room={room} onChange={setDestination} />
      <SheetError text={error} />
      <SheetButtons areTogether>
        <Button onPress={close}>{t(added > 0 ? 'downloads.picked.stop' : 'common.cancel')}</Button>
        <AddButtons
          label={downloadLabel(size)}
          takesFocus
          isDisabled={isBusy || saving.directory === ''}
          onAdd={(adding) => {
            keepFolder()
            add(location, entries, { ...saving, ...adding })
          }}
        />
      </SheetButtons>
    </Sheet>
  )
}

import { useMemo, useState } from 'react'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components'
import { t } from '../../shared/language/translate.ts'
import { sourceLines } from '../../shared/place/links.ts'
import type { Place } from '../../shared/place/place.ts'
import { AddButtons } from '../sheet-parts/add-buttons.tsx'
import { ClipboardLink } from '../sheet-parts/clipboard-link.tsx'
import { DestinationFields } from '../sheet-parts/destination-fields.tsx'
import { spaceNeeded } from '../sheet-parts/disk-space.ts'
import { useFreeSpace } from '../sheet-parts/use-free-space.ts'
import { useSizeOf } from '../sheet-parts/use-size-of.ts'
import { currentPlace, downloadsFolderOf, useApp } from '../state/app-store.ts'
import { useBrowse } from '../state/browse-store.ts'
import { locationName } from '../state/objects/location.ts'
import { createObjectList } from '../state/objects/object-list.ts'
import { useSelectedEntries } from '../state/objects/selection.ts'
import { ANYWHERE, type Destination, type TypedLinks } from '../state/ui/dialog.ts'
import { openDialog } from '../state/ui/open-dialogs.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields/fields.tsx'
import { Sheet, SheetButtons, SheetError } from '../ui/overlays/sheet.tsx'
import tabs from '../ui/tabs.module.css'
import { downloadLabel } from './download-label.ts'
import styles from './download-sheet.module.css'
import { ObjectPicker } from './object-picker.tsx'
import { useAdding } from './use-adding.ts'
import { useDestination } from './use-destination.ts'

export interface DownloadSheetProps {
  /** The links typed so far, and where they were to go. `text` null: the sheet opens on the objects of the place. */
  readonly dialog: { readonly text: string | null; readonly destination?: Destination }
  readonly onClose: () => void
}

/** Lets a person pick objects, links or keys, and choose where they go. */
export function DownloadSheet({ dialog, onClose }: DownloadSheetProps) {
  const { text: typed } = dialog
  const place = usePlaceWithBucket()
  const defaultFolder = useApp((state) => downloadsFolderOf(state, place?.id ?? null))
  const [tab, setTab] = useState(typed === null && place !== null ? 'objects' : 'text')
  // Arrow keys move between the tabs, so the content of a tab takes the focus only when the sheet opens.
  const [isOpening, setIsOpening] = useState(true)
  const [list] = useState(() => createObjectList({ placeOf: () => place, isPicker: true }))
  const picked = useSelectedEntries(list)
  const [text, setText] = useState(typed ?? '')

  function choose(key: string): void {
    setTab(key)
    setIsOpening(false)
  }

  const isPicking = tab === 'objects'
  const lines = isPicking ? [] : sourceLines(text)
  const bucket = place === null ? null : { placeId: place.id, bucket: place.bucket, prefix: '' }
  const size = useSizeOf(bucket, picked)
  const chosen = useDestination(dialog.destination ?? ANYWHERE, defaultFolder)
  const { saving } = chosen
  const room = spaceNeeded(useFreeSpace(saving.directory), isPicking ? size : { sizeBytes: 0 })
  const { isBusy, error, add, close } = useAdding(onClose)

  return (
    <Sheet isForm={text !== ''} title={t('downloads.download')} width="wide" onClose={close}>
      <Tabs selectedKey={tab} className={tabs['whole'] ?? ''} onSelectionChange={(key) => choose(String(key))}>
        <TabNames place={place} />
        {place !== null && (
          <TabPanel id="objects" className={styles['panel'] ?? ''}>
            <ObjectPicker list={list} place={place} size={size} takesFocus={isOpening} />
          </TabPanel>
        )}
        <TabPanel id="text" className={styles['panel'] ?? ''}>
          <LinksField place={place} text={text} takesFocus={isOpening} onChange={setText} />
          <ClipboardLink text={text} onUse={(link) => setText(withLine(text, link))} />
        </TabPanel>
      </Tabs>
      <DestinationFields
        destination={saving}
        onUseDefault={chosen.backToDefault}
        room={room}
        onChange={chosen.setDestination}
      />
      <SheetError text={error} />
      <SheetButtons areTogether>
        <Button onPress={close}>{t('common.cancel')}</Button>
        {isPicking && bucket !== null ? (
          <AddButtons
            label={downloadLabel(size)}
            isDisabled={picked.length === 0 || isBusy || saving.directory === ''}
            onAdd={(adding) => {
              chosen.keepFolder()
              add(bucket, picked, { ...saving, ...adding })
            }}
          />
        ) : (
          <Button
            look="solid"
            isDisabled={lines.length === 0 || saving.directory === ''}
            onPress={() => showLinks(lines, { text, home: place }, chosen.destination)}
          >
            {t('common.continue')}
          </Button>
        )}
      </SheetButtons>
    </Sheet>
  )
}

function TabNames({ place }: { readonly place: Place | null }) {
  return (
    <TabList aria-label={t('downloads.sheet.what')} className={tabs['tabs'] ?? ''}>
      {place !== null && (
        <Tab id="objects" className={tabs['tab'] ?? ''}>
          {t('downloads.sheet.from', { place: place.name })}
        </Tab>
      )}
      <Tab id="text" className={tabs['tab'] ?? ''}>
        {t('downloads.sheet.link-or-key')}
      </Tab>
    </TabList>
  )
}

/** Shows what the lines lead to before anything is downloaded. */
function showLinks(links: readonly string[], typed: TypedLinks, destination: Destination): void {
  openDialog({ kind: 'links', links, typed, destination })
}

function withLine(text: string, line: string): string {
  return text.trim() === '' ? line : `${text.trimEnd()}\n${line}`
}

/** The current place with the open bucket; null when no bucket is known. */
function usePlaceWithBucket(): Place | null {
  const current = useApp(currentPlace)
  const location = useBrowse((state) => state.location)
  return useMemo(() => {
    const bucket = location !== null && location.placeId === current?.id ? location.bucket : (current?.bucket ?? '')
    if (current === null || bucket === '') return null
    return { ...current, bucket, name: locationName({ placeId: current.id, bucket, prefix: '' }, current) }
  }, [current, location])
}

interface LinksFieldProps {
  readonly place: Place | null
  readonly text: string
  readonly takesFocus: boolean
  readonly onChange: (text: string) => void
}

function LinksField({ place, text, takesFocus, onChange }: LinksFieldProps) {
  return (
    <TextField
      isCode
      label={t(place === null ? 'downloads.sheet.links' : 'downloads.sheet.links-or-keys')}
      lines={5}
      takesFocus={takesFocus}
      value={text}
      hint={hintFor(place)}
      onChange={onChange}
    />
  )
}

function hintFor(place: Place | null): string {
  return place === null ? t('downloads.sheet.hint') : t('downloads.sheet.hint-of-place', { place: place.name })
}

import { useMemo, useState } from 'react'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components'
import { assertNever } from '../../shared/assert.ts'
import { sourceLines } from '../../shared/place/links.ts'
import type { EnqueueDownloads } from '../../shared/ipc/ipc-contract.ts'
import type { Place } from '../../shared/place/place.ts'
import { download } from '../actions/report.ts'
import { AddButtons } from '../sheet-parts/add-buttons.tsx'
import { DestinationFields } from '../sheet-parts/destination-fields.tsx'
import { spaceNeeded } from '../sheet-parts/disk-space.ts'
import { NOT_COUNTED, sumSizes, type FolderSize } from '../sheet-parts/measure-folder.ts'
import { useFolderSizes } from '../sheet-parts/use-folder-sizes.ts'
import { useFreeSpace } from '../sheet-parts/use-free-space.ts'
import { currentPlace, downloadsFolderOf, useApp } from '../state/app-store.ts'
import { useBrowse } from '../state/browse-store.ts'
import { locationName } from '../state/location.ts'
import { openDialog, type Destination, type TypedLinks } from '../state/ui-store.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields.tsx'
import { useSubmit } from '../ui/hooks/use-submit.ts'
import { Sheet, SheetButtons, SheetError } from '../ui/sheet.tsx'
import tabs from '../ui/tabs.module.css'
import { plural } from '../words/format.ts'
import styles from './download-sheet.module.css'
import { ObjectList } from './object-list.tsx'
import { NOTHING_CHOSEN, type Chosen } from './picked-objects.ts'

type Source = EnqueueDownloads['source']

export interface DownloadSheetProps {
  /** The links that were typed so far; null: the sheet opens on the objects of the place. */
  readonly text: string | null
  readonly onClose: () => void
}

/** Picks objects, links or keys, and where they go. */
export function DownloadSheet({ text: pasted, onClose }: DownloadSheetProps) {
  const place = usePlaceWithBucket()
  const defaultFolder = useApp((state) => downloadsFolderOf(state, place?.id ?? null))
  const [tab, setTab] = useState(pasted === null && place !== null ? 'objects' : 'text')
  const [chosen, setChosen] = useState(NOTHING_CHOSEN)
  const [text, setText] = useState(pasted ?? '')
  const [destination, setDestination] = useState<Destination>({ directory: null, onConflict: 'keep-both' })

  const isPicking = tab === 'objects'
  const lines = isPicking ? [] : sourceLines(text)
  const sources = isPicking ? fromChosen(place, chosen) : []
  const count = sources.reduce((sum, source) => sum + itemsOf(source).length, 0)
  const size = useChosenSize(place, chosen)
  const directory = destination.directory ?? defaultFolder
  const room = spaceNeeded(useFreeSpace(directory), isPicking ? size : { sizeBytes: 0 })
  const { isBusy, error, submit } = useSubmit(onClose)

  return (
    <Sheet title="Download" width="wide" onClose={onClose}>
      <Tabs selectedKey={tab} className={tabs['whole'] ?? ''} onSelectionChange={(key) => setTab(String(key))}>
        <TabList aria-label="What to download" className={tabs['tabs'] ?? ''}>
          {place !== null && (
            <Tab id="objects" className={tabs['tab'] ?? ''}>
              From {place.name}
            </Tab>
          )}
          <Tab id="text" className={tabs['tab'] ?? ''}>
            Link or key
          </Tab>
        </TabList>
        {place !== null && (
          <TabPanel id="objects" className={styles['panel'] ?? ''}>
            <ObjectList place={place} chosen={chosen} size={size} onChange={setChosen} />
          </TabPanel>
        )}
        <TabPanel id="text" className={styles['panel'] ?? ''}>
          <TextField
            isCode
            label={place === null ? 'Links, one per line' : 'Links or object keys, one per line'}
            lines={5}
            takesFocus
            value={text}
            hint={hintFor(place)}
            onChange={setText}
          />
        </TabPanel>
      </Tabs>
      <DestinationFields destination={{ ...destination, directory }} room={room} onChange={setDestination} />
      <SheetError text={error} />
      <SheetButtons areTogether>
        <Button onPress={onClose}>Cancel</Button>
        {isPicking ? (
          <AddButtons
            label={labelFor(size)}
            isDisabled={count === 0 || isBusy || directory === ''}
            onAdd={(adding) => submit(() => enqueue(sources, { ...destination, directory, ...adding }))}
          />
        ) : (
          <Button
            look="solid"
            isDisabled={lines.length === 0 || directory === ''}
            onPress={() => showLinks(lines, { text, home: place }, destination)}
          >
            Continue
          </Button>
        )}
      </SheetButtons>
    </Sheet>
  )
}

/** What lines lead to is said before anything of them is written. */
function showLinks(links: readonly string[], typed: TypedLinks, destination: Destination): void {
  openDialog({ kind: 'links', links, typed, destination })
}

/** The current place, in the bucket that is open; null where no bucket is known. */
function usePlaceWithBucket(): Place | null {
  const current = useApp(currentPlace)
  const location = useBrowse((state) => state.location)
  return useMemo(() => {
    const bucket = location !== null && location.placeId === current?.id ? location.bucket : (current?.bucket ?? '')
    if (current === null || bucket === '') return null
    return { ...current, bucket, name: locationName({ placeId: current.id, bucket, prefix: '' }, current) }
  }, [current, location])
}

function useChosenSize(place: Place | null, { objects, folders }: Chosen): FolderSize {
  const sizes = useFolderSizes(place?.id ?? null, folders, place?.bucket)
  const picked = [...objects.values()].map(({ sizeBytes }) => ({ objects: 1, sizeBytes, state: 'counted' as const }))
  return sumSizes([...picked, ...[...folders].map((folder) => sizes.get(folder) ?? NOT_COUNTED)])
}

/** Names the number only where it is certain. */
function labelFor({ objects, state }: Pick<FolderSize, 'objects' | 'state'>): string {
  return objects > 1 && state === 'counted' ? `Download ${plural(objects, 'file')}` : 'Download'
}

function itemsOf(source: Source): readonly string[] {
  switch (source.kind) {
    case 'links':
      return source.urls
    case 'objects':
      return source.keys
    case 'folders':
      return source.prefixes
    default:
      return assertNever(source)
  }
}

function fromChosen(place: Place | null, { objects, folders }: Chosen): readonly Source[] {
  return fromPlace(place, [...objects.keys()], [...folders])
}

function fromPlace(place: Place | null, keys: readonly string[], prefixes: readonly string[]): readonly Source[] {
  if (place === null) return []
  const { id: placeId, bucket } = place
  return [
    ...(keys.length > 0 ? [{ kind: 'objects' as const, placeId, bucket, keys }] : []),
    ...(prefixes.length > 0 ? [{ kind: 'folders' as const, placeId, bucket, prefixes }] : []),
  ]
}

function hintFor(place: Place | null): string {
  const links = 'A link begins with https://, http://, s3:// or sluice://. A curl command works, too.'
  return place === null ? links : `${links} Anything else is a file in ${place.name}, or a folder if it ends in /.`
}

async function enqueue(sources: readonly Source[], saving: Omit<EnqueueDownloads, 'source'>): Promise<void> {
  for (const source of sources) await download({ source, ...saving })
}

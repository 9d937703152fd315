import { useState } from 'react'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components'
import type { EnqueueDownloads } from '../../shared/ipc-contract.ts'
import type { ListedObject, Place } from '../../shared/place.ts'
import { formatCount } from '../format.ts'
import { download } from '../actions.ts'
import { currentPlace, useApp } from '../state/app-store.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields.tsx'
import { Sheet, SheetButtons, SheetError } from '../ui/sheet.tsx'
import { useSubmit } from '../ui/use-submit.ts'
import { DestinationFields, type Destination } from './destination-fields.tsx'
import styles from './download-sheet.module.css'
import { ObjectList } from './object-list.tsx'
import { parseSources } from './parse-sources.ts'

type Source = EnqueueDownloads['source']

export interface DownloadSheetProps {
  /** What was pasted; not empty: the sheet opens on it. */
  readonly text: string
  readonly onClose: () => void
}

/** Picks objects, links or keys, and where they go. */
export function DownloadSheet({ text: pasted, onClose }: DownloadSheetProps) {
  const place = useApp(currentPlace)
  const defaultFolder = useApp((state) => state.settings.downloadsFolder ?? state.info?.downloadsFolder ?? '')
  const [tab, setTab] = useState(pasted === '' && place !== null ? 'objects' : 'text')
  const [chosen, setChosen] = useState<ReadonlyMap<string, ListedObject>>(new Map())
  const [text, setText] = useState(pasted)
  const [destination, setDestination] = useState<Destination>({ directory: null, onConflict: 'keep-both' })
  const { isBusy, error, submit } = useSubmit(onClose)

  const sources = tab === 'objects' ? fromObjects(place, [...chosen.keys()]) : fromText(place, text)
  const count = sources.reduce((sum, source) => sum + (source.kind === 'links' ? source.urls : source.keys).length, 0)
  const directory = destination.directory ?? defaultFolder

  function toggle(object: ListedObject): void {
    const next = new Map(chosen)
    if (!next.delete(object.key)) next.set(object.key, object)
    setChosen(next)
  }

  return (
    <Sheet title="Download" width="wide" onClose={onClose}>
      <Tabs selectedKey={tab} className={styles['whole'] ?? ''} onSelectionChange={(key) => setTab(String(key))}>
        <TabList aria-label="What to download" className={styles['tabs'] ?? ''}>
          {place !== null && (
            <Tab id="objects" className={styles['tab'] ?? ''}>
              From {place.name}
            </Tab>
          )}
          <Tab id="text" className={styles['tab'] ?? ''}>
            Link or key
          </Tab>
        </TabList>
        {place !== null && (
          <TabPanel id="objects" className={styles['panel'] ?? ''}>
            <ObjectList place={place} chosen={chosen} onToggle={toggle} />
          </TabPanel>
        )}
        <TabPanel id="text" className={styles['panel'] ?? ''}>
          <TextField
            isCode
            label="Links or keys, one a line"
            lines={5}
            value={text}
            hint={hintFor(place)}
            onChange={setText}
          />
        </TabPanel>
      </Tabs>
      <DestinationFields destination={{ ...destination, directory }} onChange={setDestination} />
      <SheetError text={error} />
      <SheetButtons>
        <Button onPress={onClose}>Cancel</Button>
        <Button
          look="solid"
          isDisabled={count === 0 || isBusy || directory === ''}
          onPress={() => {
            submit(() => enqueue(sources, { ...destination, directory }))
          }}
        >
          {count > 1 ? `Download ${formatCount(count)}` : 'Download'}
        </Button>
      </SheetButtons>
    </Sheet>
  )
}

function fromObjects(place: Place | null, keys: readonly string[]): readonly Source[] {
  return place === null || keys.length === 0 ? [] : [{ kind: 'objects', placeId: place.id, keys }]
}

function fromText(place: Place | null, text: string): readonly Source[] {
  const { urls, keys } = parseSources(text)
  return [...(urls.length > 0 ? [{ kind: 'links' as const, urls }] : []), ...fromObjects(place, keys)]
}

function hintFor(place: Place | null): string {
  const links = 'A link begins with https:// or http://.'
  return place === null ? links : `${links} Anything else is a key in ${place.name}.`
}

async function enqueue(sources: readonly Source[], { directory, onConflict }: Destination): Promise<void> {
  for (const source of sources) await download({ source, directory: directory ?? '', onConflict })
}

import { useEffect, useRef, useState } from 'react'
import { Folder } from 'lucide-react'
import { assertNever } from '../../shared/assert.ts'
import type { ListedObject, Place } from '../../shared/place/place.ts'
import { visibleText } from '../../shared/visible-text.ts'
import { formatBytes, formatExactBytes, formatMoment, plural } from '../words/format.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox, SearchField } from '../ui/fields.tsx'
import { cx } from '../ui/cx.ts'
import { useVirtualRows } from '../ui/hooks/use-virtual-rows.ts'
import { Breadcrumb } from '../ui/breadcrumb.tsx'
import styles from './object-list.module.css'
import { isInChosenFolder, toggleFolder, toggleObject, type Chosen } from './picked-objects.ts'
import type { FolderSize } from '../sheet-parts/measure-folder.ts'
import { useObjects, type Listing } from './use-objects.ts'

const ROW_HEIGHT = 32

export interface ObjectListProps {
  readonly place: Place
  readonly chosen: Chosen
  /** What the picked comes to. */
  readonly size: FolderSize
  readonly onChange: (chosen: Chosen) => void
}

/** The objects and folders of a place, a folder at a time, to pick from. */
export function ObjectList({ place, chosen, size, onChange }: ObjectListProps) {
  const [prefix, setPrefix] = useState('')
  const [search, setSearch] = useState('')
  const listing = useObjects(place.id, place.bucket, prefix)
  const words = search.toLocaleLowerCase()
  const shown = (key: string) => key.slice(prefix.length).toLocaleLowerCase().includes(words)

  function open(next: string): void {
    setPrefix(next)
    setSearch('')
  }

  return (
    <div className={styles['browser']}>
      <div className={styles['head']}>
        <Breadcrumb steps={stepsTo(place, prefix)} onOpen={open} />
        <div className={styles['search']}>
          <SearchField takesFocus label="Filter files" value={search} onChange={setSearch} />
        </div>
      </div>
      <Entries
        key={`${place.id} ${prefix}`}
        prefix={prefix}
        listing={listing}
        prefixes={listing.prefixes.filter(shown)}
        objects={listing.objects.filter(({ key }) => shown(key))}
        chosen={chosen}
        onChange={onChange}
        onOpen={open}
      />
      <p className={styles['note']}>{noteFor(listing, size)}</p>
    </div>
  )
}

function noteFor({ prefixes, objects, isListing, error }: Listing, size: FolderSize): string {
  if (error !== null) return objects.length === 0 ? '' : error
  const folders = prefixes.length === 0 ? '' : `${plural(prefixes.length, 'folder')}, `
  const here = `${folders}${plural(objects.length, 'file')} here${isListing ? ', still listing…' : ''}`
  return [describeChosen(size), here].filter((part) => part !== '').join(' · ')
}

/** What the picked comes to: "1,204 files selected, 3.20 GB"; empty when nothing is picked. */
function describeChosen({ objects, sizeBytes, state }: FolderSize): string {
  if (objects === 0 && state === 'counted') return ''
  const sum = `${plural(objects, 'file')} selected, ${formatBytes(sizeBytes)}`
  switch (state) {
    case 'counting':
      return objects === 0 ? 'Counting what is selected…' : `${sum}, counting…`
    case 'counted':
      return sum
    case 'more':
      return `More than ${sum}`
    case 'failed':
      return `At least ${sum}; not all could be counted`
    default:
      return assertNever(state)
  }
}

function stepsTo(place: Place, prefix: string) {
  const folders = prefix.split('/').slice(0, -1)
  const steps = folders.map((label, index) => ({
    label: visibleText(label),
    at: `${folders.slice(0, index + 1).join('/')}/`,
  }))
  return [{ label: place.name, at: '' }, ...steps]
}

interface EntriesProps extends Omit<ObjectListProps, 'place' | 'size'> {
  readonly prefix: string
  readonly listing: Listing
  readonly prefixes: readonly string[]
  readonly objects: readonly ListedObject[]
  readonly onOpen: (prefix: string) => void
}

function Entries({ prefix, listing, prefixes, objects, chosen, onChange, onOpen }: EntriesProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const count = prefixes.length + objects.length
  const { rows, height } = useVirtualRows({ count, rowHeight: ROW_HEIGHT, scroller })
  const { isListing, error, loadMore } = listing
  const isEndVisible = (rows.at(-1)?.index ?? -1) >= count - 1

  useEffect(() => {
    if (isEndVisible && isListing) loadMore()
  })

  return (
    <div ref={scroller} className={styles['scroller']}>
      {count === 0 && (
        <p
          role={error === null ? undefined : 'alert'}
          className={cx(styles['empty'], error !== null && styles['failure'])}
        >
          {error ?? (isListing ? 'Listing…' : 'No files here')}
        </p>
      )}
      <ul aria-label="Files" className={styles['rows']} style={{ height }}>
        {rows.map(({ index, top }) => {
          const folder = prefixes[index]
          const object = objects[index - prefixes.length]
          const style = { transform: `translateY(${String(top)}px)` }
          const position = { 'aria-setsize': isListing ? -1 : count, 'aria-posinset': index + 1 }
          return (
            <li key={folder ?? object?.key ?? index} className={styles['row']} style={style} {...position}>
              {folder !== undefined && (
                <FolderEntry
                  name={visibleText(folder.slice(prefix.length))}
                  pick={pickOf(chosen, folder, chosen.folders.has(folder))}
                  onToggle={() => onChange(toggleFolder(chosen, folder))}
                  onOpen={() => onOpen(folder)}
                />
              )}
              {folder === undefined && object !== undefined && (
                <ObjectEntry
                  object={object}
                  prefix={prefix}
                  pick={pickOf(chosen, object.key, chosen.objects.has(object.key))}
                  onToggle={() => onChange(toggleObject(chosen, object))}
                />
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

/** How an entry's checkbox stands: what a picked folder holds comes along, and can't be left out. */
interface Pick {
  readonly isSelected: boolean
  readonly isDisabled: boolean
}

function pickOf(chosen: Chosen, key: string, isChosen: boolean): Pick {
  const isDisabled = isInChosenFolder(chosen, key)
  return { isSelected: isChosen || isDisabled, isDisabled }
}

interface FolderEntryProps {
  readonly name: string
  readonly pick: Pick
  readonly onToggle: () => void
  readonly onOpen: () => void
}

function FolderEntry({ name, pick, onToggle, onOpen }: FolderEntryProps) {
  return (
    <div className={styles['folderEntry']}>
      <Checkbox label={`Folder ${name}`} {...pick} onChange={onToggle} />
      <Button look="quiet" className={styles['folder']} onPress={onOpen}>
        <Folder size={16} aria-hidden />
        {name}
      </Button>
    </div>
  )
}

interface ObjectEntryProps {
  readonly object: ListedObject
  readonly prefix: string
  readonly pick: Pick
  readonly onToggle: () => void
}

function ObjectEntry({ object, prefix, pick, onToggle }: ObjectEntryProps) {
  return (
    <>
      <Checkbox {...pick} onChange={onToggle}>
        <span className={styles['key']} title={visibleText(object.key)}>
          {visibleText(object.key.slice(prefix.length))}
        </span>
      </Checkbox>
      <span className={styles['size']} title={formatExactBytes(object.sizeBytes)}>
        {formatBytes(object.sizeBytes)}
      </span>
      <span className={styles['date']}>{formatMoment(Date.parse(object.lastModified))}</span>
    </>
  )
}

import { useEffect, useRef, useState } from 'react'
import { ChevronRight, Folder } from 'lucide-react'
import type { ListedObject, Place } from '../../shared/place.ts'
import { formatBytes, formatExactBytes, formatMoment, plural } from '../format.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox, SearchField } from '../ui/fields.tsx'
import { cx } from '../ui/cx.ts'
import { useVirtualRows } from '../ui/use-virtual-rows.ts'
import styles from './object-list.module.css'
import { useObjects, type Listing } from './use-objects.ts'

const ROW_HEIGHT = 32

export interface ObjectListProps {
  readonly place: Place
  /** Chosen objects by key. */
  readonly chosen: ReadonlyMap<string, ListedObject>
  readonly onToggle: (object: ListedObject) => void
}

/** The objects of a place, a folder at a time, to pick from. */
export function ObjectList({ place, chosen, onToggle }: ObjectListProps) {
  const [prefix, setPrefix] = useState('')
  const [search, setSearch] = useState('')
  const listing = useObjects(place.id, prefix)
  const words = search.toLocaleLowerCase()
  const shown = (key: string) => key.slice(prefix.length).toLocaleLowerCase().includes(words)

  function open(next: string): void {
    setPrefix(next)
    setSearch('')
  }

  return (
    <div className={styles['browser']}>
      <div className={styles['head']}>
        <Breadcrumb place={place} prefix={prefix} onOpen={open} />
        <div className={styles['search']}>
          <SearchField label="Filter objects" value={search} onChange={setSearch} />
        </div>
      </div>
      <Entries
        key={`${place.id} ${prefix}`}
        prefix={prefix}
        listing={listing}
        prefixes={listing.prefixes.filter(shown)}
        objects={listing.objects.filter(({ key }) => shown(key))}
        chosen={chosen}
        onToggle={onToggle}
        onOpen={open}
      />
      <p className={styles['note']}>{noteFor(listing, chosen)}</p>
    </div>
  )
}

function noteFor({ objects, isListing, error }: Listing, chosen: ReadonlyMap<string, ListedObject>): string {
  if (error !== null) return objects.length === 0 ? '' : error
  const chosenBytes = [...chosen.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const selected = chosen.size === 0 ? '' : `${plural(chosen.size, 'object')} selected, ${formatBytes(chosenBytes)} · `
  return `${selected}${plural(objects.length, 'object')} here${isListing ? ', still listing…' : ''}`
}

interface BreadcrumbProps {
  readonly place: Place
  readonly prefix: string
  readonly onOpen: (prefix: string) => void
}

function Breadcrumb({ place, prefix, onOpen }: BreadcrumbProps) {
  const folders = prefix.split('/').slice(0, -1)
  const steps = [
    { label: place.name, prefix: '' },
    ...folders.map((label, index) => ({ label, prefix: `${folders.slice(0, index + 1).join('/')}/` })),
  ]
  return (
    <nav aria-label="Folder" className={styles['path']}>
      {steps.map((step, index) => (
        <span key={step.prefix} className={styles['step']}>
          {index > 0 && <ChevronRight size={12} aria-hidden />}
          <Button
            look="quiet"
            isDisabled={index === steps.length - 1}
            className={styles['crumb']}
            onPress={() => {
              onOpen(step.prefix)
            }}
          >
            {step.label}
          </Button>
        </span>
      ))}
    </nav>
  )
}

interface EntriesProps extends Omit<ObjectListProps, 'place'> {
  readonly prefix: string
  readonly listing: Listing
  readonly prefixes: readonly string[]
  readonly objects: readonly ListedObject[]
  readonly onOpen: (prefix: string) => void
}

function Entries({ prefix, listing, prefixes, objects, chosen, onToggle, onOpen }: EntriesProps) {
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
          {error ?? (isListing ? 'Listing…' : 'Nothing here')}
        </p>
      )}
      <ul aria-label="Objects" className={styles['rows']} style={{ height }}>
        {rows.map(({ index, top }) => {
          const folder = prefixes[index]
          const object = objects[index - prefixes.length]
          const style = { transform: `translateY(${String(top)}px)` }
          const position = { 'aria-setsize': isListing ? -1 : count, 'aria-posinset': index + 1 }
          return (
            <li key={folder ?? object?.key ?? index} className={styles['row']} style={style} {...position}>
              {folder !== undefined && <FolderEntry name={folder.slice(prefix.length)} onOpen={() => onOpen(folder)} />}
              {folder === undefined && object !== undefined && (
                <ObjectEntry object={object} prefix={prefix} isChosen={chosen.has(object.key)} onToggle={onToggle} />
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function FolderEntry({ name, onOpen }: { readonly name: string; readonly onOpen: () => void }) {
  return (
    <Button look="quiet" className={styles['folder']} onPress={onOpen}>
      <Folder size={16} aria-hidden />
      {name}
    </Button>
  )
}

interface ObjectEntryProps {
  readonly object: ListedObject
  readonly prefix: string
  readonly isChosen: boolean
  readonly onToggle: (object: ListedObject) => void
}

function ObjectEntry({ object, prefix, isChosen, onToggle }: ObjectEntryProps) {
  return (
    <>
      <Checkbox isSelected={isChosen} onChange={() => onToggle(object)}>
        <span className={styles['key']} title={object.key}>
          {object.key.slice(prefix.length)}
        </span>
      </Checkbox>
      <span className={styles['size']} title={formatExactBytes(object.sizeBytes)}>
        {formatBytes(object.sizeBytes)}
      </span>
      <span className={styles['date']}>{formatMoment(Date.parse(object.lastModified))}</span>
    </>
  )
}

import { Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ObjectFacts } from '../../shared/ipc/object-requests.ts'
import { visibleText } from '../../shared/visible-text.ts'
import { copyText } from '../actions/report.ts'
import { request } from '../bridge.ts'
import type { Entry } from '../state/listing.ts'
import type { BrowseLocation } from '../state/location.ts'
import { openDialog } from '../state/ui-store.ts'
import { Button } from '../ui/button.tsx'
import { Sheet, SheetButtons, SheetError } from '../ui/sheet.tsx'
import { formatBytes, formatExactBytes, formatMoment } from '../words/format.ts'
import styles from './properties-sheet.module.css'

export interface PropertiesSheetProps {
  readonly location: BrowseLocation
  readonly entry: Entry
  readonly onClose: () => void
}

/** What the service tells of one object; what a person may have to quote can be copied. */
export function PropertiesSheet({ location, entry, onClose }: PropertiesSheetProps) {
  const { facts, error } = useFacts(location, entry.key)
  return (
    <Sheet title={entry.name} width="wide" onClose={onClose}>
      <dl className={styles['facts']}>
        <Fact name="Key" value={entry.key} canCopy />
        <Fact name="Bucket" value={location.bucket} />
        {facts !== null && factsOf(facts).map((fact) => <Fact key={fact.name} {...fact} />)}
        {facts?.metadata != null &&
          Object.entries(facts.metadata).map(([name, value]) => (
            <Fact key={name} name={`Metadata ${name}`} value={value} />
          ))}
      </dl>
      {facts === null && error === null && <p className={styles['asking']}>Asking the server…</p>}
      <SheetError text={error} />
      <SheetButtons>
        <Button onPress={() => openDialog({ kind: 'link', location, entry })}>Copy link…</Button>
        <Button takesFocus look="solid" onPress={onClose}>
          Close
        </Button>
      </SheetButtons>
    </Sheet>
  )
}

interface FactProps {
  readonly name: string
  readonly value: string
  readonly canCopy?: boolean
}

function Fact({ name, value, canCopy = false }: FactProps) {
  return (
    <div className={styles['fact']}>
      <dt>{visibleText(name)}</dt>
      <dd className={styles['value']}>
        <span className={canCopy ? styles['code'] : undefined}>{visibleText(value)}</span>
        {canCopy && (
          <Button look="quiet" label={`Copy ${name}`} onPress={() => copyText(value, `${name} copied.`)}>
            <Copy size={14} aria-hidden />
          </Button>
        )}
      </dd>
    </div>
  )
}

function factsOf({ sizeBytes, contentType, lastModified, etag, requestId }: ObjectFacts): readonly FactProps[] {
  const size = sizeBytes === null ? null : sizeOf(sizeBytes)
  const modified = lastModified === null ? null : formatMoment(Date.parse(lastModified))
  const facts = [
    { name: 'Size', value: size },
    { name: 'Type', value: contentType },
    { name: 'Modified', value: modified },
    { name: 'ETag', value: etag, canCopy: true },
    { name: 'Request id', value: requestId, canCopy: true },
  ]
  return facts.flatMap(({ value, ...fact }) => (value === null ? [] : [{ ...fact, value }]))
}

function sizeOf(bytes: number): string {
  return bytes < 1000 ? formatBytes(bytes) : `${formatBytes(bytes)} (${formatExactBytes(bytes)})`
}

interface Asked {
  readonly facts: ObjectFacts | null
  readonly error: string | null
}

function useFacts({ placeId, bucket }: BrowseLocation, key: string): Asked {
  const [asked, setAsked] = useState<Asked>({ facts: null, error: null })
  useEffect(() => {
    let isWanted = true
    request('objects:facts', { placeId, bucket, key }).then(
      (facts) => {
        if (isWanted) setAsked({ facts, error: null })
      },
      (failure: unknown) => {
        const error = failure instanceof Error ? failure.message : 'The properties could not be read.'
        if (isWanted) setAsked({ facts: null, error })
      },
    )
    return () => {
      isWanted = false
    }
  }, [placeId, bucket, key])
  return asked
}

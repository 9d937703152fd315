import { t } from '../../../shared/language/translate.ts'
import type { ObjectFacts } from '../../../shared/ipc/object-requests.ts'
import { visibleText } from '../../../shared/visible-text.ts'
import { copyFact } from '../../actions/report.ts'
import { requestUntil } from '../../bridge.ts'
import type { Entry } from '../../state/objects/listing.ts'
import type { BrowseLocation } from '../../state/objects/location.ts'
import { FactList, type Fact } from '../../ui/fact-list.tsx'
import { useAnswer } from '../../ui/hooks/use-answer.ts'
import { formatBytes, formatExactBytes, formatMoment } from '../../words/format.ts'
import styles from '../../preview/preview.module.css'

export interface ObjectPropertiesProps {
  readonly location: BrowseLocation
  readonly entry: Entry
}

/** What the service says about one object. Values that a person may have to quote can be copied. */
export function ObjectProperties({ location: { placeId, bucket }, entry: { key } }: ObjectPropertiesProps) {
  const { value, error } = useAnswer((signal) => requestUntil(signal, 'objects:facts', { placeId, bucket, key }))
  const known = [
    copied(() => t('browser.properties.key'), key),
    { label: t('browser.inspector.bucket'), value: bucket, isLong: true },
  ]
  return (
    <>
      <FactList facts={value === null ? known : [...known, ...factsOf(value), ...metadataOf(value)]} />
      {value === null && <p className={styles['words']}>{error ?? t('transfer.row.asking')}</p>}
    </>
  )
}

function copied(label: () => string, value: string): Fact {
  return { label: label(), value: visibleText(value), isCode: true, isLong: true, onCopy: () => copyFact(label, value) }
}

function factsOf({ sizeBytes, contentType, lastModified, etag, requestId }: ObjectFacts): readonly Fact[] {
  return [
    ...(sizeBytes === null
      ? []
      : [{ label: t('browser.size'), value: formatBytes(sizeBytes), title: formatExactBytes(sizeBytes) }]),
    ...(contentType === null
      ? []
      : [{ label: t('browser.properties.type'), value: visibleText(contentType), isLong: true }]),
    ...(lastModified === null ? [] : [{ label: t('browser.modified'), value: formatMoment(Date.parse(lastModified)) }]),
    ...(etag === null ? [] : [copied(() => 'ETag', etag)]),
    ...(requestId === null ? [] : [copied(() => t('browser.properties.request-id'), requestId)]),
  ]
}

function metadataOf({ metadata }: ObjectFacts): readonly Fact[] {
  return Object.entries(metadata ?? {}).map(([name, value]) => ({
    label: t('browser.properties.metadata', { name: visibleText(name) }),
    value: visibleText(value),
    isLong: true,
  }))
}

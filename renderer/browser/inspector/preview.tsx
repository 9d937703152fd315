import { useState } from 'react'
import type { ObjectPreview } from '../../../shared/ipc/object-requests.ts'
import { PREVIEW_MAX_BYTES, PREVIEW_MAX_PIXELS } from '../../../shared/limits.ts'
import { requestUntil } from '../../bridge.ts'
import type { Entry } from '../../state/objects/listing.ts'
import type { BrowseLocation } from '../../state/objects/location.ts'
import { formatBytes } from '../../words/format.ts'
import styles from './preview.module.css'
import { useAnswer } from './use-answer.ts'

const TOO_LARGE = `Files over ${formatBytes(PREVIEW_MAX_BYTES)} have no preview.`

/** Why an object has no preview. */
const NONE: Readonly<Record<(ObjectPreview & { readonly kind: 'none' })['why'], string>> = {
  'too-large': TOO_LARGE,
  'too-many-pixels': `Images over ${PREVIEW_MAX_PIXELS / 1_000_000} megapixels have no preview.`,
  damaged: 'This image can’t be shown. It may be damaged.',
  'unknown-kind': 'This kind of file has no preview.',
}

export interface PreviewProps {
  readonly location: BrowseLocation
  readonly entry: Entry
}

/** How an object looks. Only what is an image or a text is shown, and nothing of it is run. */
export function Preview({ location, entry }: PreviewProps) {
  return entry.sizeBytes > PREVIEW_MAX_BYTES ? (
    <Words text={TOO_LARGE} />
  ) : (
    <Fetched location={location} entry={entry} />
  )
}

function Fetched({ location: { placeId, bucket }, entry }: PreviewProps) {
  const { value, error } = useAnswer((signal) =>
    requestUntil(signal, 'objects:preview', { placeId, bucket, key: entry.key }),
  )
  if (error !== null) return <Words text={error} />
  return value === null ? <Words text="Loading…" /> : <Shown preview={value} name={entry.name} />
}

function Shown({ preview, name }: { readonly preview: ObjectPreview; readonly name: string }) {
  const [isBroken, setIsBroken] = useState(false)
  if (preview.kind === 'none') return <Words text={NONE[preview.why]} />
  if (preview.kind === 'text') return <Text text={preview.text} isCut={preview.isCut} name={name} />
  if (isBroken) return <Words text={NONE.damaged} />
  return (
    <div className={styles['frame']}>
      <img
        className={styles['image']}
        src={preview.url}
        alt={`Preview of ${name}`}
        draggable={false}
        onError={() => setIsBroken(true)}
      />
    </div>
  )
}

function Text({ text, isCut, name }: { readonly text: string; readonly isCut: boolean; readonly name: string }) {
  if (text === '') return <Words text="This file is empty." />
  return (
    <>
      {/* What scrolls must be reached by the keyboard. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className={styles['text']} tabIndex={0} role="region" aria-label={`Preview of ${name}`} dir="auto">
        {text}
      </pre>
      {isCut && <Words text="Only the beginning is shown." />}
    </>
  )
}

function Words({ text }: { readonly text: string }) {
  return <p className={styles['words']}>{text}</p>
}

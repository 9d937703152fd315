import { useState } from 'react'
import { joined } from '../../shared/language/joined.ts'
import { t } from '../../shared/language/translate.ts'
import type { MeasuredSources } from '../../shared/ipc/ipc-contract.ts'
import type { Place, PlaceId } from '../../shared/place/place.ts'
import { uploadFolder, uploadTaken } from '../actions/upload-actions.ts'
import { AddButtons, type AddTo } from '../sheet-parts/add-buttons.tsx'
import type { Conflict } from '../../shared/conflict.ts'
import { ConflictChoice } from '../sheet-parts/conflict-choice.tsx'
import { useBuckets } from '../sheet-parts/use-buckets.ts'
import { currentPlace, useApp } from '../state/app-store.ts'
import { useBrowse } from '../state/browse-store.ts'
import { locationName, type BrowseLocation } from '../state/objects/location.ts'
import { useUi } from '../state/selectors.ts'
import { keepBucket } from '../state/ui/list-view.ts'
import { Button } from '../ui/button.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import { Choice, TextField } from '../ui/fields/fields.tsx'
import { useSubmit } from '../ui/hooks/use-submit.ts'
import { Sheet, SheetButtons, SheetError } from '../ui/overlays/sheet.tsx'
import { formatBytes } from '../words/format.ts'
import { describeSkip } from '../words/row-words.ts'
import { prefixOf } from '../../shared/place/prefix-of.ts'
import styles from './upload-sheet.module.css'
import { useSourceSums } from './use-source-sums.ts'

export interface UploadSheetProps {
  /** Absolute paths of files and folders. */
  readonly paths: readonly string[]
  /** The folder that they were dropped on, or that was open; null: none. It may lack a bucket. */
  readonly location: BrowseLocation | null
  /** Whether each file gets its own row, as if the sheet had not been needed. */
  readonly areFiles: boolean
  readonly onClose: () => void
}

/** Shows what will be uploaded and what is left out, and asks where it goes and what it may replace. */
export function UploadSheet({ paths, location, areFiles, onClose }: UploadSheetProps) {
  const current = useApp(currentPlace)
  const places = useApp((state) => state.places)
  const [placeId, setPlaceId] = useState(location?.placeId ?? current?.id ?? '')
  const [typedFolder, setTypedFolder] = useState<string | null>(null)
  const [typedBucket, setTypedBucket] = useState<string | null>(null)
  const [onConflict, setOnConflict] = useState<Conflict>('keep-both')
  const { isBusy, error, submit } = useSubmit(onClose)
  const counted = useSourceSums(paths)
  const { sums } = counted
  const place = places.find(({ id }) => id === placeId) ?? current
  const openFolder = (location?.placeId === placeId ? location.prefix : (place?.folder ?? location?.prefix)) ?? ''
  const prefix = prefixOf(openFolder, typedFolder)
  const knownBucket = (location?.placeId === placeId ? location.bucket : place?.bucket) ?? ''
  const likelyBucket = useLikelyBucket(placeId)
  const bucket = knownBucket || (typedBucket ?? likelyBucket).trim()

  async function upload(place: Place, adding: Parameters<AddTo>[0]): Promise<void> {
    const uploads = { placeId: place.id, bucket, prefix, paths, onConflict, ...adding }
    await (areFiles ? uploadTaken(uploads) : uploadFolder(uploads))
    if (place.bucket === '') keepBucket(place.id, bucket)
  }

  return (
    <Sheet title={t('uploads.sheet.title', { name: nameOf(paths) })} width="wide" onClose={onClose}>
      <Sums sums={sums} />
      {sums !== null && sums.skipped.count > 0 && <LeftOut paths={paths} sums={sums} />}
      {places.length > 1 && (
        <Choice
          label={t('uploads.sheet.to')}
          value={place?.id ?? ''}
          options={places.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={setPlaceId}
        />
      )}
      {knownBucket === '' && (
        <BucketField placeId={placeId} value={typedBucket ?? likelyBucket} onChange={setTypedBucket} />
      )}
      <TextField
        isCode
        label={folderLabel(place, { placeId, bucket: knownBucket || (place?.bucket ?? ''), prefix: '' })}
        value={typedFolder ?? openFolder}
        placeholder={t('uploads.sheet.top-level')}
        hint={destinationHint(paths, prefix)}
        onChange={setTypedFolder}
      />
      <ConflictChoice
        direction="upload"
        label={t('sheets.conflict.title')}
        value={onConflict}
        onChange={setOnConflict}
      />
      <SheetError text={error ?? counted.error?.message ?? null} />
      <SheetButtons areTogether>
        <Button onPress={onClose}>{t('common.cancel')}</Button>
        <AddButtons
          label={addLabel(sums)}
          takesFocus={knownBucket !== ''}
          isDisabled={isBusy || place === null || bucket === '' || (sums !== null && sums.isDone && sums.files === 0)}
          onAdd={(adding) => {
            if (place !== null) submit(() => upload(place, adding))
          }}
        />
      </SheetButtons>
    </Sheet>
  )
}

interface BucketFieldProps {
  readonly placeId: PlaceId
  readonly value: string
  readonly onChange: (bucket: string) => void
}

/** A field for the bucket that suggests those of the place. */
function BucketField({ placeId, value, onChange }: BucketFieldProps) {
  const suggestions = useBuckets(placeId === '' ? null : placeId)
  return <TextField isCode takesFocus label={t('uploads.sheet.bucket')} {...{ value, suggestions, onChange }} />
}

/** The open bucket, or else the one that was last uploaded to; empty if neither is known. */
function useLikelyBucket(placeId: PlaceId): string {
  const browsed = useBrowse((state) => (state.location?.placeId === placeId ? state.location.bucket : ''))
  const last = useUi((state) => state.buckets[placeId] ?? '')
  return browsed || last
}

function folderLabel(place: Place | null, top: BrowseLocation): string {
  return place === null ? t('uploads.sheet.folder') : t('uploads.sheet.folder-in', { place: locationName(top, place) })
}

/** The label of the main button. It names the number only when that is certain. */
function addLabel(sums: MeasuredSources | null): string {
  const isCertain = sums?.isDone === true && sums.files > 1
  return isCertain ? t('uploads.sheet.upload-files', { count: sums.files }) : t('uploads.upload')
}

function Sums({ sums }: { readonly sums: MeasuredSources | null }) {
  const { files = 0, sizeBytes = 0, emptyFolders = 0, isDone = false } = sums ?? {}
  const said = [
    t('sheets.files', { count: files, size: formatBytes(sizeBytes) }),
    emptyFolders > 0 ? t('uploads.sheet.empty-folders', { count: emptyFolders }) : '',
    isDone ? '' : t('uploads.sheet.counting'),
  ]
  return (
    <p role="status" className={styles['sums']}>
      {isDone && files === 0 ? t('uploads.sheet.nothing') : joined(...said)}
    </p>
  )
}

/** What is left out, and why; collapsed until the person opens it. */
function LeftOut({ paths, sums: { skipped } }: Pick<UploadSheetProps, 'paths'> & { readonly sums: MeasuredSources }) {
  const more = skipped.count - skipped.named.length
  return (
    <Disclosure title={t('uploads.sheet.skipped', { count: skipped.count })}>
      <ul className={styles['skipped']}>
        {skipped.named.map(({ path, reason }) => (
          <li key={path}>
            <span className={styles['path']} title={path}>
              {belowDropped(path, paths)}
            </span>
            <span className={styles['reason']}>{describeSkip(reason)}</span>
          </li>
        ))}
        {more > 0 && <li>{t('uploads.sheet.skipped-more', { count: more })}</li>}
      </ul>
    </Disclosure>
  )
}

/** A path relative to the folder around what was dropped. */
function belowDropped(path: string, paths: readonly string[]): string {
  const dropped = paths.find((each) => path.startsWith(each))
  return dropped === undefined ? path : path.slice(dropped.length - lastName(dropped).length)
}

/** Where the first of the files ends up, as an example for all. */
function destinationHint(paths: readonly string[], prefix: string): string {
  const [first = ''] = paths
  return t('uploads.sheet.destination', { path: `${prefix}${lastName(first)}`, count: paths.length })
}

function nameOf(paths: readonly string[]): string {
  return paths.length === 1 ? lastName(paths[0] ?? '') : t('format.items', { count: paths.length })
}

function lastName(path: string): string {
  return path.split(/[/\\]/).findLast((segment) => segment !== '') ?? path
}

import { Ellipsis } from 'lucide-react'
import {
  Cell,
  Column,
  MenuTrigger,
  Row,
  Table,
  TableBody,
  TableHeader,
  TableLayout,
  Virtualizer,
} from 'react-aria-components'
import { joined } from '../../shared/language/joined.ts'
import { t } from '../../shared/language/translate.ts'
import {
  isUnderWay,
  type UnfinishedUpload,
  type UploadAmount,
  type UploadName,
} from '../../shared/ipc/unfinished-upload.ts'
import type { Place } from '../../shared/place/place.ts'
import type { WaitState } from '../../shared/transfer/transfer.ts'
import { isOfService, waitWords } from '../../shared/transfer/words/wait-words.ts'
import { visibleText } from '../../shared/visible-text.ts'
import { request } from '../bridge.ts'
import { ask } from '../state/ui/open-dialogs.ts'
import { run, showToast } from '../state/ui/messages.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { FileName } from '../ui/file-name.tsx'
import { MenuList, MenuPopover } from '../ui/overlays/menu.tsx'
import { useMedia } from '../ui/hooks/use-media.ts'
import { useSeconds } from '../ui/hooks/use-time.ts'
import { formatAge, formatBytes, formatMoment } from '../words/format.ts'
import { describeNextTry } from '../words/row-words.ts'
import styles from './unfinished-sheet.module.css'
import { useAmount } from './use-amount.ts'
import type { UnfinishedListing } from './use-unfinished.ts'

const ROW_HEIGHT = 44
const HEADING_HEIGHT = 32
/** The window has no room for all columns, so that the file and its actions are left, with the rest below its name. */
const FEW_COLUMNS = '(width < 632px)'

export interface UnfinishedTableProps {
  readonly place: Place
  readonly listing: UnfinishedListing
  readonly isBusy: boolean
  readonly onFinish: (upload: UnfinishedUpload) => void
  readonly onDiscarded: () => void
}

/** A grid of the uploads with one tab stop; arrow keys reach the rows and their buttons. */
export function UnfinishedTable(props: UnfinishedTableProps) {
  const { listing, isBusy } = props
  const isShort = useMedia(FEW_COLUMNS)
  return (
    <Virtualizer layout={TableLayout} layoutOptions={{ rowHeight: ROW_HEIGHT, headingHeight: HEADING_HEIGHT }}>
      <Table aria-label={t('uploads.unfinished.table')} className={styles['table'] ?? ''}>
        <TableHeader className={styles['head'] ?? ''}>
          <Column isRowHeader width="2fr" minWidth={108} className={styles['column'] ?? ''}>
            {t('uploads.file')}
          </Column>
          {!isShort && (
            <>
              <Column width={76} className={styles['column'] ?? ''}>
                {t('uploads.unfinished.age')}
              </Column>
              <Column width="1.3fr" minWidth={136} className={styles['column'] ?? ''}>
                {t('uploads.on-server')}
              </Column>
              <Column width="1fr" minWidth={104} className={styles['column'] ?? ''}>
                {t('uploads.on-computer')}
              </Column>
            </>
          )}
          <Column width={124} className={styles['column'] ?? ''}>
            {t('uploads.unfinished.actions')}
          </Column>
        </TableHeader>
        <TableBody
          items={listing.uploads.map((upload) => ({ ...upload, id: `${upload.key} ${upload.uploadId}` }))}
          dependencies={[isBusy, isShort]}
          renderEmptyState={() => <Nothing listing={listing} placeName={props.place.name} />}
        >
          {(upload) => uploadRow(upload, props, isShort)}
        </TableBody>
      </Table>
    </Virtualizer>
  )
}

function uploadRow(
  upload: UnfinishedUpload & { readonly id: string },
  { place, listing, isBusy, onFinish, onDiscarded }: UnfinishedTableProps,
  isShort: boolean,
) {
  const { ours } = upload
  const key = visibleText(upload.key)
  const cell = styles['cell'] ?? ''
  const age = <Age upload={upload} nowMs={listing.listedAtMs} />
  const amount = <Amount upload={nameOf(place, upload)} version={listing.version} />
  return (
    <Row id={upload.id} textValue={key} className={styles['row'] ?? ''}>
      <Cell className={cx(cell, isShort && styles['lines'])}>
        <span className={styles['key']} title={key}>
          <FileName name={key} />
        </span>
        {isShort && (
          <span className={styles['rest']}>
            {amount} · {age}
          </span>
        )}
      </Cell>
      {!isShort && (
        <>
          <Cell className={cell}>{age}</Cell>
          <Cell className={cell}>{amount}</Cell>
          <Cell className={cell}>
            <span className={styles['key']} title={ours?.localPath ?? ''}>
              {ours === null ? (
                t('uploads.unfinished.not-known-here')
              ) : (
                <FileName name={visibleText(ours.localPath.split(/[/\\]/).at(-1) ?? '')} />
              )}
            </span>
          </Cell>
        </>
      )}
      <Cell className={cx(cell, styles['actions'])}>
        {isUnderWay(upload) ? (
          t('uploads.unfinished.under-way')
        ) : (
          <Button
            look="quiet"
            isDisabled={isBusy}
            className={styles['finish']}
            onPress={() => {
              onFinish(upload)
            }}
          >
            {t(ours === null ? 'uploads.unfinished.finish-with' : 'uploads.unfinished.finish')}
          </Button>
        )}
        <MoreActions place={place} upload={upload} onDiscarded={onDiscarded} />
      </Cell>
    </Row>
  )
}

export function nameOf(place: Place, { key, uploadId }: UnfinishedUpload): UploadName {
  return { placeId: place.id, bucket: place.bucket, key, uploadId }
}

function Nothing({ listing, placeName }: { readonly listing: UnfinishedListing; readonly placeName: string }) {
  if (listing.error !== null) {
    return (
      <p role="alert" className={styles['failure']}>
        {listing.error.message}
      </p>
    )
  }
  if (listing.wait !== null) return <ListingWait wait={listing.wait} placeName={placeName} />
  return (
    <p className={styles['empty']}>{t(listing.isListing ? 'uploads.unfinished.listing' : 'uploads.unfinished.none')}</p>
  )
}

/** Says why the list has not arrived, and when it is requested again. */
export function ListingWait({ wait, placeName }: { readonly wait: WaitState; readonly placeName: string }) {
  const nowMs = useSeconds(wait.retryAtMs !== null)
  const why = isOfService(wait.reason) ? waitWords(wait.reason, wait.cause ?? null, placeName) : ''
  return <p className={styles['empty']}>{joined(why, describeNextTry(wait, nowMs))}</p>
}

function Age({ upload: { startedAtMs }, nowMs }: { readonly upload: UnfinishedUpload; readonly nowMs: number }) {
  if (startedAtMs === null) return <span>{t('uploads.not-known')}</span>
  return <span title={formatMoment(startedAtMs)}>{formatAge(nowMs - startedAtMs)}</span>
}

function Amount({ upload, version }: { readonly upload: UploadName; readonly version: number }) {
  const amount = useAmount(upload, version)
  return <span>{amount === undefined ? '…' : describeAmount(amount)}</span>
}

function describeAmount(amount: UploadAmount): string {
  if (amount === null) return t('uploads.not-known')
  return joined(t('uploads.parts', { count: amount.parts }), formatBytes(amount.sizeBytes))
}

interface MoreActionsProps extends Pick<UnfinishedTableProps, 'place' | 'onDiscarded'> {
  readonly upload: UnfinishedUpload
}

function MoreActions({ place, upload, onDiscarded }: MoreActionsProps) {
  const name = nameOf(place, upload)
  return (
    <MenuTrigger>
      <Button look="quiet" label={t('uploads.unfinished.actions-for', { key: upload.key })}>
        <Ellipsis size={14} aria-hidden />
      </Button>
      <MenuPopover>
        <MenuList
          label={t('uploads.unfinished.actions-for', { key: upload.key })}
          entries={[
            { id: 'save', label: t('uploads.unfinished.save-list') },
            {
              id: 'discard',
              label: t('uploads.unfinished.discard'),
              startsGroup: true,
              isDisabled: upload.ours !== null,
            },
          ]}
          onAction={(entry) => {
            if (entry === 'save') run(saveParts(name))
            else run(askToDiscard(place, upload, onDiscarded))
          }}
        />
      </MenuPopover>
    </MenuTrigger>
  )
}

async function saveParts(upload: UploadName): Promise<void> {
  if (await request('uploads:save-parts', upload))
    showToast(() => t('uploads.unfinished.list-saved', { key: upload.key }))
}

/** Asks before discarding an upload. The question says how much is lost, if the server tells. */
async function askToDiscard(place: Place, upload: UnfinishedUpload, onDiscarded: () => void): Promise<void> {
  const name = nameOf(place, upload)
  const amount = await request('uploads:measure', name)
  const hasBytes = amount !== null && amount.sizeBytes > 0
  const size = formatBytes(amount?.sizeBytes ?? 0)
  ask({
    title: t('uploads.unfinished.discard-title', { key: upload.key }),
    body: !hasBytes ? t('uploads.discard.all') : t('uploads.discard.amount', { count: amount.parts, size }),
    safeLabel: t('common.cancel'),
    confirmLabel: !hasBytes ? t('uploads.discard.confirm') : t('uploads.discard.confirm-size', { size }),
    onConfirm: () => {
      run(request('uploads:discard', name).then(onDiscarded))
    },
  })
}

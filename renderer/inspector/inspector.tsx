import { ArrowDownToLine, ArrowUpFromLine } from 'lucide-react'
import { commandLabel } from '../../shared/ipc/menu-commands.ts'
import { joined } from '../../shared/language/joined.ts'
import { t } from '../../shared/language/translate.ts'
import type { TransferDetails, TransferRow } from '../../shared/transfer/transfer.ts'
import { visibleText } from '../../shared/visible-text.ts'
import { rowName } from '../../shared/transfer/row-name.ts'
import { formatCount, formatRate } from '../words/format.ts'
import { actionContext, describeFailure, describeWaiting, objectAddress, placeNameOf } from '../words/row-words.ts'
import { placeById, useApp } from '../state/app-store.ts'
import { copyDetails } from '../actions/copy-details.ts'
import { perform } from '../actions/transfer-actions.ts'
import { useDetails } from '../state/details-store.ts'
import { primaryAction, type PrimaryAction } from '../state/queue/row-actions.ts'
import { inspectedId, useQueueLength, useShownSelection, useTransferRow, useUi } from '../state/selectors.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { useSeconds } from '../ui/hooks/use-time.ts'
import { ErrorBoundary } from '../ui/overlays/error-boundary.tsx'
import { Panel, PanelFoot, PanelHead, Section } from '../ui/panel.tsx'
import { Facts } from './facts.tsx'
import { FolderFailures, FolderSums, LeftOut } from './folder-contents.tsx'
import styles from './inspector.module.css'
import { PartsMap } from './parts-map.tsx'
import { Several } from './several.tsx'
import { Sparkline } from './sparkline.tsx'
import { TransferLog } from './transfer-log.tsx'

/** Facts about the selected transfers. Follows the selection. */
export function Inspector() {
  const isDrawn = useUi((state) => state.drawer === 'inspector')
  const isOpen = useUi((state) => state.inspectorOpen) || isDrawn
  const selection = useShownSelection()
  const id = inspectedId({ selection })
  const row = useTransferRow(id ?? '')
  const details = useDetails((state) => state.details)
  const isOfSeveral = selection.size > 1
  if (!isOpen || (row === undefined && !isOfSeveral)) return null
  return (
    <Panel label={t('inspector.title')} isDrawn={isDrawn}>
      {isOfSeveral && <Several selection={selection} />}
      {row !== undefined && (
        <ErrorBoundary of={row} instead={<p>{t('window.cannot-show')}</p>}>
          <Contents key={row.id} row={row} details={details?.id === row.id ? details : null} />
        </ErrorBoundary>
      )}
    </Panel>
  )
}

/** Shown in place of the inspector when nothing is selected. */
export function InspectorHint() {
  const isOpen = useUi((state) => state.inspectorOpen)
  const hasRows = useQueueLength() > 0
  const isNoneSelected = useShownSelection().size === 0
  if (!isOpen || !hasRows || !isNoneSelected) return null
  return <p className={styles['hint']}>{t('inspector.hint')}</p>
}

function Contents({ row, details }: { readonly row: TransferRow; readonly details: TransferDetails | null }) {
  const place = useApp((state) => placeById(state, row.placeId))
  const nowMs = useSeconds(row.wait !== null && row.wait.retryAtMs !== null)
  const placeName = placeNameOf(row, place)
  const why = row.error === null ? describeWaiting(row, { nowMs, placeName }) : describeFailure(row, placeName)
  // The failures of an earlier run stay in the details until the next run fails; the row's count is newer.
  const failures = row.items != null && row.items.failed > 0 ? (details?.failures ?? []) : []
  const skipped = details?.skipped ?? null
  const { direction } = row
  const Glyph = direction === 'upload' ? ArrowUpFromLine : ArrowDownToLine
  return (
    <>
      <PanelHead title={rowName(row)}>
        <Glyph size={12} role="img" aria-label={t('inspector.towards', { direction })} />
        <span>{visibleText(objectAddress(row, place))}</span>
      </PanelHead>
      {why !== null && <WhyCard row={row} why={why} primary={primaryAction(row, actionContext(row, place))} />}
      {details !== null && details.cells.length > 0 && row.status !== 'canceled' && (
        <Section title={t('inspector.units', { direction })}>
          <PartsMap row={row} details={details} />
        </Section>
      )}
      {row.items != null && row.status !== 'canceled' && (
        <Section title={t('inspector.files.title')} detail={row.items.isCounted ? formatCount(row.items.total) : ''}>
          <FolderSums items={row.items} direction={direction} isAtRest={!isRunning(row)} />
        </Section>
      )}
      {failures.length > 0 && (
        <Section title={t('inspector.files.not', { direction })}>
          <FolderFailures row={row} failures={failures} placeName={placeName} />
        </Section>
      )}
      {skipped !== null && skipped.count > 0 && (
        <Section title={t('inspector.files.skipped')} detail={formatCount(skipped.count)}>
          <LeftOut skipped={skipped} />
        </Section>
      )}
      <Speed row={row} details={details} />
      <Section title={t('inspector.details')}>
        <Facts row={row} details={details} />
      </Section>
      {details !== null && details.log.length > 0 && (
        <Section title={t('inspector.log.title')}>
          <TransferLog entries={details.log} />
        </Section>
      )}
      <PanelFoot>
        <Button onPress={() => copyDetails([row.id])}>{commandLabel('copy-details')}</Button>
      </PanelFoot>
    </>
  )
}

interface WhyCardProps {
  readonly row: TransferRow
  readonly why: string
  readonly primary: PrimaryAction | null
}

/** The whole reason why the transfer failed or waits, and what to do about it. */
function WhyCard({ row, why, primary }: WhyCardProps) {
  return (
    <div className={cx(styles['why'], row.error !== null && styles['error'])}>
      <p>{why}</p>
      {primary !== null && (
        <Button isDisabled={!primary.enabled} onPress={() => perform(primary.action, [row.id])}>
          {primary.label}
        </Button>
      )}
    </div>
  )
}

function isRunning({ status }: TransferRow): boolean {
  return status === 'preparing' || status === 'transferring' || status === 'verifying'
}

/** The speed of a transfer; nothing for one that never moved. */
function Speed({ row, details }: { readonly row: TransferRow; readonly details: TransferDetails | null }) {
  const average = details?.averageBytesPerSecond ?? 0
  const peak = details?.peakBytesPerSecond ?? 0
  if (row.status !== 'transferring' && peak === 0) return null
  return (
    <Section
      title={t('inspector.speed.title')}
      detail={row.status === 'transferring' ? formatRate(row.bytesPerSecond) : ''}
    >
      {details !== null && <Sparkline row={row} speed={details.speed} peakBytesPerSecond={peak} />}
      {peak > 0 && (
        <p className={styles['rates']}>
          {joined(
            average > 0 ? t('inspector.speed.average', { rate: formatRate(average) }) : '',
            t('inspector.speed.peak', { rate: formatRate(peak) }),
          )}
        </p>
      )}
    </Section>
  )
}

import { Ellipsis, FolderOpen, FolderSearch, Link, Pause, Play, RotateCw, X, type LucideIcon } from 'lucide-react'
import { t } from '../../../shared/language/translate.ts'
import type { TransferId, TransferRow } from '../../../shared/transfer/transfer.ts'
import { perform } from '../../actions/transfer-actions.ts'
import { placeById, useApp } from '../../state/app-store.ts'
import { primaryAction, type PrimaryAction, type RowAction } from '../../state/queue/row-actions.ts'
import { Button } from '../../ui/button.tsx'
import { actionContext } from '../../words/row-words.ts'
import styles from './transfer-row.module.css'

/** Whether a row's button has words: when only a person can act, or the transfer is being stopped. Pure. */
export function hasLabel({ status }: TransferRow): boolean {
  return status === 'failed' || status === 'pausing'
}

/** The button for a row's main action, if it has one, and the menu with the others. */
export function RowButtons({ row, part = 'both', onMenu }: RowButtonsProps) {
  const place = useApp((state) => placeById(state, row.placeId))
  const primary = primaryAction(row, actionContext(row, place))
  return (
    <>
      {primary !== null && part !== 'menu' && <PrimaryButton row={row} primary={primary} />}
      {part !== 'primary' && (
        <Button
          look="quiet"
          label={t('queue.row.more')}
          hasPopup="menu"
          excludeFromTabOrder
          onPress={({ target }) => {
            onMenu(row.id, target)
          }}
        >
          <Ellipsis size={16} aria-hidden />
        </Button>
      )}
    </>
  )
}

export interface RowButtonsProps {
  readonly row: TransferRow
  /** Left out: both. */
  readonly part?: 'both' | 'primary' | 'menu'
  readonly onMenu: (id: TransferId, anchor: Element) => void
}

const ICONS: Partial<Readonly<Record<RowAction, LucideIcon>>> = {
  pause: Pause,
  resume: Play,
  'start-now': Play,
  retry: RotateCw,
  reveal: FolderOpen,
  'copy-link': Link,
  'show-in-place': FolderSearch,
  remove: X,
}

function PrimaryButton({ row, primary }: { readonly row: TransferRow; readonly primary: PrimaryAction }) {
  const Icon = hasLabel(row) ? undefined : ICONS[primary.action]
  const act = (): void => {
    perform(primary.action, [row.id])
  }
  if (Icon === undefined) {
    return (
      <Button excludeFromTabOrder keepsFocus isDisabled={!primary.enabled} className={styles['primary']} onPress={act}>
        <span className={styles['label']}>{primary.label}</span>
      </Button>
    )
  }
  return (
    <Button
      look="quiet"
      label={primary.label}
      excludeFromTabOrder
      keepsFocus
      isDisabled={!primary.enabled}
      onPress={act}
    >
      <Icon size={16} aria-hidden />
    </Button>
  )
}

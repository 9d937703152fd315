import {
  Check,
  Circle,
  CircleAlert,
  FolderOpen,
  FolderSearch,
  Link,
  ListChecks,
  LoaderCircle,
  RotateCw,
  type LucideIcon,
  Minus,
} from 'lucide-react'
import { memo, useId } from 'react'
import type { MessageKey } from '../../../shared/language/english.ts'
import { t } from '../../../shared/language/translate.ts'
import { isThere, type FileState, type FolderFile } from '../../../shared/transfer/folder-file.ts'
import type { TransferId, TransferRow } from '../../../shared/transfer/transfer.ts'
import { visibleText } from '../../../shared/visible-text.ts'
import { actionsFor, performOnFile, type FileAction } from '../../actions/folder-files.ts'
import { placeById, useApp } from '../../state/app-store.ts'
import { fileKey } from '../../state/queue/list-layout.ts'
import { useFolderFile } from '../../state/open-folders.ts'
import { useTransferRow, useUi } from '../../state/selectors.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { FileName } from '../../ui/file-name.tsx'
import { useFocusedRow } from '../../ui/hooks/use-focused-row.ts'
import { formatBytes } from '../../words/format.ts'
import hidden from '../../ui/unseen.module.css'
import { describeFile, describeNoFiles, pathInFolder, placeNameOf } from '../../words/row-words.ts'
import { useShownColumns } from './columns.ts'
import { gridOf } from './row-element.ts'
import styles from './file-row.module.css'

export interface FileRowProps {
  /** The id of the folder transfer. */
  readonly id: TransferId
  /** The number of the file, from 0. */
  readonly number: number
  /** Position in the list, from 0. */
  readonly index: number
  /** Distance from the top of the list in pixels. */
  readonly top: number
  readonly isTabStop: boolean
}

/** One file of an expanded folder transfer: its path, its state, and what can be done about it. */
export const FileRow = memo(function FileRow({ id, number, index, top, isTabStop }: FileRowProps) {
  const row = useTransferRow(id)
  const file = useFolderFile(id, number)
  const place = useApp((state) => placeById(state, row?.placeId ?? null))
  const key = fileKey(id, number)
  const isFocused = useUi((state) => state.focusedId === key)
  const element = useFocusedRow<HTMLDivElement>(isFocused, gridOf)
  const columns = useShownColumns()
  const said = useId()
  if (row === undefined) return null
  const path = file === undefined ? '' : visibleText(pathInFolder(file.path, row))
  const words = file === undefined ? describeNoFiles(row) : describeFile(file, row, placeNameOf(row, place))
  return (
    <div
      ref={element}
      role="row"
      aria-level={2}
      aria-rowindex={index + 2}
      aria-label={path === '' ? words : path}
      {...(path !== '' && { 'aria-describedby': `${said}-words ${said}-size` })}
      tabIndex={isTabStop ? 0 : -1}
      data-id={key}
      className={cx(styles['file'], file?.state === 'failed' && styles['failed'])}
      style={{ transform: `translateY(${String(top)}px)` }}
    >
      {/* As in the row of a transfer, the words are in the cell of the name. */}
      <div role="gridcell" aria-colindex={1} className={styles['main']}>
        <div className={styles['name']} title={path}>
          {file !== undefined && <StateGlyph state={file.state} />}
          {path !== '' && <FileName name={path} />}
        </div>
        <div id={`${said}-words`} className={styles['words']} title={words}>
          {/* For a finished file the glyph says enough; the words are for screen readers. */}
          <span className={cx(file?.state === 'done' && hidden['unseen'])}>{words}</span>
        </div>
        <div id={`${said}-size`} className={styles['size']}>
          {file === undefined ? '' : formatBytes(file.sizeBytes)}
        </div>
      </div>
      <div role="gridcell" aria-colindex={columns.length + 2} className={styles['actions']}>
        {file !== undefined && <FileButtons row={row} file={file} actions={actionsFor(file, row)} />}
      </div>
    </div>
  )
})

const GLYPHS: Readonly<Record<FileState, LucideIcon>> = {
  waiting: Circle,
  active: LoaderCircle,
  done: Check,
  'already-there': Check,
  skipped: Minus,
  failed: CircleAlert,
}

function StateGlyph({ state }: { readonly state: FileState }) {
  const Glyph = GLYPHS[state]
  return (
    <Glyph
      size={12}
      strokeWidth={2.25}
      aria-hidden
      className={cx(styles['glyph'], styles[isThere(state) ? 'done' : state])}
    />
  )
}

const ACTIONS: Readonly<Record<FileAction, { readonly label: MessageKey; readonly Icon: LucideIcon }>> = {
  retry: { label: 'common.retry', Icon: RotateCw },
  review: { label: 'commands.name.unfinished-uploads', Icon: ListChecks },
  reveal: { label: 'commands.name.reveal', Icon: FolderOpen },
  'copy-link': { label: 'commands.name.copy-link', Icon: Link },
  'show-in-place': { label: 'commands.name.show-in-place', Icon: FolderSearch },
}

interface FileButtonsProps {
  readonly row: TransferRow
  readonly file: FolderFile
  readonly actions: readonly FileAction[]
}

function FileButtons({ row, file, actions }: FileButtonsProps) {
  return actions.map((action) => {
    const { label, Icon } = ACTIONS[action]
    return (
      <Button
        key={action}
        look="quiet"
        label={t(label)}
        excludeFromTabOrder
        onPress={() => performOnFile(action, row.id, file)}
      >
        <Icon size={16} aria-hidden />
      </Button>
    )
  })
}

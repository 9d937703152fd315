import type { ReactNode } from 'react'
import { t } from '../../../shared/language/translate.ts'
import type { FolderSize } from '../../sheet-parts/measure-folder.ts'
import { describeSize, useSizeOf } from '../../sheet-parts/use-size-of.ts'
import type { Entry } from '../../state/objects/listing.ts'
import type { BrowseLocation } from '../../state/objects/location.ts'
import { Button } from '../../ui/button.tsx'
import { Sheet, SheetButtons, SheetError, SheetForm } from '../../ui/overlays/sheet.tsx'
import type { WorkState } from '../work/use-stoppable-work.ts'
import type { MovePlan } from './move-entries.ts'
import { useMoving } from './use-moving.ts'

export interface MovingSheetProps {
  readonly title: string
  /** What the main button does. */
  readonly label: string
  readonly location: BrowseLocation
  readonly entries: readonly Entry[]
  /** Whether everything is known already: the main button has the focus. */
  readonly isConfirmed?: boolean
  /** Null while what was entered can't be used. */
  readonly plan: MovePlan | null
  /** The fields. They are locked once some files have moved: the others must follow. */
  readonly children: (isLocked: boolean) => ReactNode
  /** Called when all have moved, with the number of files. */
  readonly onMoved: (moved: number) => void
  readonly onClose: () => void
}

/** Asks where lines go, moves them, and says how far it is. */
export function MovingSheet(props: MovingSheetProps) {
  const { title, label, location, entries, isConfirmed = false, plan, children, onMoved, onClose } = props
  const { moved, state, error, start, stop } = useMoving(location, (count) => {
    onMoved(count)
    onClose()
  })
  const hasFolder = entries.some(({ kind }) => kind === 'folder')
  const isRunning = state === 'running' || state === 'stopping'
  return (
    <Sheet isForm title={title} onClose={isRunning ? stop : onClose}>
      <SheetForm
        onSubmit={() => {
          if (plan !== null && !isRunning) start(plan)
        }}
      >
        {children(isRunning || moved > 0)}
        <Status hasFolder={hasFolder} location={location} entries={entries} moved={moved} state={state} />
        <SheetError text={error} />
        <SheetButtons>
          {isRunning ? (
            <Button isDisabled={state === 'stopping'} onPress={stop}>
              {t('browser.stop')}
            </Button>
          ) : (
            <Button onPress={onClose}>{t(moved > 0 ? 'common.close' : 'common.cancel')}</Button>
          )}
          <Button
            type="submit"
            look="solid"
            takesFocus={isConfirmed}
            // Where it was pressed, Esc still has to be heard once the move is over.
            keepsFocus={isRunning}
            isDisabled={plan === null || isRunning}
          >
            {moved > 0 ? t('browser.move.rest') : label}
          </Button>
        </SheetButtons>
      </SheetForm>
    </Sheet>
  )
}

interface StatusProps extends Pick<MovingSheetProps, 'location' | 'entries'> {
  readonly hasFolder: boolean
  readonly moved: number
  readonly state: WorkState
}

/** How folders are moved, which takes time and requests; then how many files have moved. */
function Status({ hasFolder, location, entries, moved, state }: StatusProps) {
  const size = useSizeOf(location, entries)
  if (state === 'asking') {
    return hasFolder ? <p role="status">{t('browser.move.by-copies', { size: describeSize(size) })}</p> : null
  }
  if (!hasFolder && entries.length === 1) {
    // A single file either moves or stays, and the error says so.
    return state === 'stopped' ? null : <p role="status">{t('browser.move.copying')}</p>
  }
  return <p role="status">{said(moved, size, state)}</p>
}

/** "412 of 1,204 files moved", and where the others are. */
function said(done: number, { state: counting, objects }: FolderSize, state: Exclude<WorkState, 'asking'>): string {
  const moved =
    counting === 'counted'
      ? t('browser.move.done-of', { done, count: objects })
      : t('browser.move.done', { count: done })
  return t(`browser.move.${state}`, { moved })
}

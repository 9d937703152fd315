import { Ellipsis } from 'lucide-react'
import { MenuTrigger } from 'react-aria-components'
import type { Place, PlaceId } from '../../shared/place/place.ts'
import { isFinal } from '../../shared/transfer/transfer.ts'
import { chooseCurrentPlace, movePlace, removePlace } from '../state/app-store.ts'
import { liveRow, queueStore } from '../state/queue-store.ts'
import { ask, openDialog, run } from '../state/ui-store.ts'
import { Button } from '../ui/button.tsx'
import { MenuList, MenuPopover } from '../ui/menu.tsx'
import { formatCount } from '../words/format.ts'
import styles from './place-list.module.css'

/** The place above or below, by arrow key; null: there is none, or it is the demo store, which stays first. */
export function neighbour(places: readonly Place[], id: PlaceId, key: string): PlaceId | null {
  const index = places.findIndex((place) => place.id === id)
  const other = key === 'ArrowUp' ? places[index - 1] : key === 'ArrowDown' ? places[index + 1] : undefined
  return other === undefined || other.isDemo || places[index]?.isDemo === true ? null : other.id
}

/** Everything that can be done with a place. */
export function PlaceMenu({ place, others }: { readonly place: Place; readonly others: readonly Place[] }) {
  const above = neighbour(others, place.id, 'ArrowUp')
  const below = neighbour(others, place.id, 'ArrowDown')
  return (
    <MenuTrigger>
      <Button look="quiet" label={`Actions for ${place.name}`} className={styles['more']}>
        <Ellipsis size={14} aria-hidden />
      </Button>
      <MenuPopover placement="bottom start">
        <MenuList
          label={`Actions for ${place.name}`}
          entries={[
            { id: 'download', label: 'Download from here…' },
            { id: 'unfinished', label: 'Unfinished uploads…' },
            { id: 'edit', label: 'Edit place…', isDisabled: place.isDemo },
            { id: 'up', label: 'Move up', startsGroup: true, isDisabled: above === null },
            { id: 'down', label: 'Move down', isDisabled: below === null },
            { id: 'remove', label: 'Remove place…', startsGroup: true, isDisabled: place.isDemo },
          ]}
          onAction={(entry) => {
            if (entry === 'remove') askToRemove(place)
            else if (entry === 'unfinished') openDialog({ kind: 'unfinished', place })
            else if (entry === 'edit') openDialog({ kind: 'add-place', place })
            else if (entry === 'up' && above !== null) run(movePlace(place.id, above))
            else if (entry === 'down' && below !== null) run(movePlace(place.id, below))
            else download(place)
          }}
        />
      </MenuPopover>
    </MenuTrigger>
  )
}

function download(place: Place): void {
  chooseCurrentPlace(place.id)
  openDialog({ kind: 'download', text: null })
}

/** What becomes of the transfers of a place that is removed. */
function stoppedWords({ id }: Place): string {
  const rows = queueStore.getState().order.map((row) => liveRow(row))
  const count = rows.filter((row) => row?.placeId === id && !isFinal(row.status)).length
  if (count === 0) return ''
  return count === 1 ? ' 1 unfinished transfer stops.' : ` ${formatCount(count)} unfinished transfers stop.`
}

function askToRemove(place: Place): void {
  ask({
    title: `Remove ${place.name}?`,
    body: `Its key is deleted from this computer. Files in the place stay as they are.${stoppedWords(place)}`,
    safeLabel: 'Cancel',
    confirmLabel: 'Remove place',
    onConfirm: () => {
      run(removePlace(place.id))
    },
  })
}

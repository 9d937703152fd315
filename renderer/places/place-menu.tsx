import { Ellipsis } from 'lucide-react'
import { MenuTrigger } from 'react-aria-components'
import { t } from '../../shared/language/translate.ts'
import type { Place, PlaceId } from '../../shared/place/place.ts'
import { isFinal } from '../../shared/transfer/transfer.ts'
import { openUnfinished } from '../actions/uploaded.ts'
import { PLACE_KEYS } from '../commands/shortcuts.ts'
import { chooseCurrentPlace, movePlace, removePlace } from '../state/app-store.ts'
import { liveRow, queueStore } from '../state/queue/queue-store.ts'
import { ask, openDialog } from '../state/ui/open-dialogs.ts'
import { run } from '../state/ui/messages.ts'
import { showOnlyPlace } from '../state/ui/list-view.ts'
import { Button } from '../ui/button.tsx'
import { MenuList, MenuPopover } from '../ui/overlays/menu.tsx'
import styles from './place-list.module.css'

/** The place above or below, by arrow key; null if there is none or the demo store is involved, which stays first. */
export function neighbor(places: readonly Place[], id: PlaceId, key: string): PlaceId | null {
  const index = places.findIndex((place) => place.id === id)
  const other = key === 'ArrowUp' ? places[index - 1] : key === 'ArrowDown' ? places[index + 1] : undefined
  return other === undefined || other.isDemo || places[index]?.isDemo === true ? null : other.id
}

/** The menu of everything that can be done with a place. */
export function PlaceMenu({ place, others }: { readonly place: Place; readonly others: readonly Place[] }) {
  const above = neighbor(others, place.id, 'ArrowUp')
  const below = neighbor(others, place.id, 'ArrowDown')
  return (
    <MenuTrigger>
      <Button look="quiet" label={t('places.menu', { name: place.name })} className={styles['more']}>
        <Ellipsis size={14} aria-hidden />
      </Button>
      <MenuPopover placement="bottom start">
        <MenuList
          label={t('places.menu', { name: place.name })}
          entries={[
            { id: 'download', label: t('places.menu.download') },
            { id: 'unfinished', label: t('places.menu.unfinished') },
            { id: 'transfers', label: t('places.menu.transfers') },
            { id: 'edit', label: t('commands.name.edit-place'), isDisabled: place.isDemo },
            { id: 'duplicate', label: t('places.menu.duplicate'), isDisabled: place.isDemo },
            {
              id: 'up',
              label: t('places.menu.up'),
              startsGroup: true,
              isDisabled: above === null,
              keys: PLACE_KEYS.up,
            },
            { id: 'down', label: t('places.menu.down'), isDisabled: below === null, keys: PLACE_KEYS.down },
            { id: 'remove', label: t('places.menu.remove'), startsGroup: true, isDisabled: place.isDemo },
          ]}
          onAction={(entry) => {
            if (entry === 'remove') askToRemove(place)
            else if (entry === 'unfinished') openUnfinished(place, place.bucket)
            else if (entry === 'transfers') showOnlyPlace(place.id)
            else if (entry === 'edit') openDialog({ kind: 'add-place', place })
            else if (entry === 'duplicate') openDialog({ kind: 'add-place', like: place })
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

/** How many transfers would stop if the place were removed. */
function unfinishedOf({ id }: Place): number {
  const rows = queueStore.getState().order.map((row) => liveRow(row))
  return rows.filter((row) => row?.placeId === id && !isFinal(row.status)).length
}

function askToRemove(place: Place): void {
  ask({
    title: t('places.remove.title', { name: place.name }),
    body: t('places.remove.body', { count: unfinishedOf(place) }),
    safeLabel: t('common.cancel'),
    confirmLabel: t('places.remove.confirm'),
    onConfirm: () => {
      run(removePlace(place.id))
    },
  })
}

import { Circle, CircleDot, Ellipsis, Plus } from 'lucide-react'
import { useState } from 'react'
import { MenuTrigger } from 'react-aria-components'
import type { Place, PlaceColor, PlaceId } from '../../shared/place/place.ts'
import { chooseCurrentPlace, currentPlace, movePlace, removePlace, useApp } from '../state/app-store.ts'
import { openPlace, useBrowse } from '../state/browse-store.ts'
import { useUi } from '../state/selectors.ts'
import { ask, openDialog, run } from '../state/ui-store.ts'
import { Button } from '../ui/button.tsx'
import { MenuList, MenuPopover } from '../ui/menu.tsx'
import { NavButton, NavSection, type NavDrag } from '../ui/nav-list.tsx'
import styles from './place-list.module.css'

/** The places, the current one marked: that is where dropped files go. */
export function PlaceList() {
  const places = useApp((state) => state.places)
  const current = useApp(currentPlace)
  const isBrowsing = useUi((state) => state.view === 'browse')
  const dropPlaceId = useBrowse((state) => state.dropPlaceId)
  const dragOf = usePlaceDrag()
  return (
    <NavSection title="Places">
      {places.map((place) => (
        <NavButton
          key={place.id}
          label={place.name}
          isCurrent={isBrowsing && place.id === current?.id}
          dropId={place.id}
          isDropTarget={place.id === dropPlaceId}
          icon={<PlaceGlyph color={place.color} isCurrent={place.id === current?.id} />}
          accessory={
            <span className={styles['accessory']}>
              {place.isDemo && <span className={styles['tag']}>Demo</span>}
              <PlaceMenu place={place} others={places} />
            </span>
          }
          {...(place.isDemo ? {} : { drag: dragOf(place.id) })}
          onKeyDown={(event) => {
            const to = event.altKey ? neighbour(places, place.id, event.key) : null
            if (to === null) event.continuePropagation()
            else run(movePlace(place.id, to))
          }}
          onPress={() => {
            openPlace(place)
          }}
        />
      ))}
      <NavButton
        label="Add place…"
        isCurrent={false}
        icon={<Plus size={14} aria-hidden className={styles['glyph']} />}
        onPress={() => {
          openDialog({ kind: 'add-place' })
        }}
      />
    </NavSection>
  )
}

function PlaceGlyph({ color, isCurrent }: { readonly color: PlaceColor; readonly isCurrent: boolean }) {
  const Glyph = isCurrent ? CircleDot : Circle
  return <Glyph size={14} aria-hidden data-place-color={color} className={styles['glyph']} />
}

/** Reordering by hand: what is dragged takes the place of what it is dropped on. */
function usePlaceDrag(): (id: PlaceId) => NavDrag {
  const [dragged, setDragged] = useState<PlaceId | null>(null)
  const [target, setTarget] = useState<PlaceId | null>(null)
  const end = () => {
    setDragged(null)
    setTarget(null)
  }
  return (id) => ({
    isTarget: target === id && dragged !== id,
    onStart: () => {
      setDragged(id)
    },
    onOver: () => {
      // Files have a mark of their own.
      if (dragged === null) return false
      setTarget(id)
      return true
    },
    onDrop: () => {
      if (dragged !== null) run(movePlace(dragged, id))
      end()
    },
    onEnd: end,
  })
}

/** The place above or below, by arrow key; null: there is none, or it is the demo store, which stays first. */
function neighbour(places: readonly Place[], id: PlaceId, key: string): PlaceId | null {
  const index = places.findIndex((place) => place.id === id)
  const other = key === 'ArrowUp' ? places[index - 1] : key === 'ArrowDown' ? places[index + 1] : undefined
  return other === undefined || other.isDemo || places[index]?.isDemo === true ? null : other.id
}

function PlaceMenu({ place, others }: { readonly place: Place; readonly others: readonly Place[] }) {
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

function askToRemove(place: Place): void {
  ask({
    title: `Remove ${place.name}?`,
    body: 'Its key is deleted from this computer. Files in the place stay as they are.',
    safeLabel: 'Cancel',
    confirmLabel: 'Remove place',
    onConfirm: () => {
      run(removePlace(place.id))
    },
  })
}

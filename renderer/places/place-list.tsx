import { ArrowUpFromLine, Circle, CircleAlert, Plus } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../shared/language/translate.ts'
import type { Place, PlaceColor, PlaceId } from '../../shared/place/place.ts'
import { visibleText } from '../../shared/visible-text.ts'
import { currentPlace, movePlace, useApp } from '../state/app-store.ts'
import { openPlace, useDrag } from '../state/browse-store.ts'
import { usePlaceLight, type PlaceLight } from '../state/queue/place-lights.ts'
import { useUi } from '../state/selectors.ts'
import { openDialog } from '../state/ui/open-dialogs.ts'
import { run } from '../state/ui/messages.ts'
import { SearchField } from '../ui/fields/fields.tsx'
import { NavButton, NavSection, type NavDrag } from '../ui/nav-list.tsx'
import { matchesPlace } from './place-filter.ts'
import { neighbor, PlaceMenu } from './place-menu.tsx'
import { PlacesMenu } from './places-menu.tsx'
import styles from './place-list.module.css'

/** A list of more places than this can be filtered. */
const PLACES_WITHOUT_FILTER = 8

/** The places, each with its light; an arrow marks where dropped files go. */
export function PlaceList() {
  const places = useApp((state) => state.places)
  const current = useApp(currentPlace)
  const isBrowsing = useUi((state) => state.view === 'browse')
  const dropPlaceId = useDrag((drag) => drag.dropPlaceId)
  const dragOf = usePlaceDrag()
  const { wanted, setWanted } = useWanted(current)
  const isLong = places.length > PLACES_WITHOUT_FILTER
  const shown = isLong ? places.filter((place) => matchesPlace(place, wanted)) : places
  return (
    <NavSection
      title={t('places.title')}
      accessory={<PlacesMenu />}
      filter={isLong && <SearchField label={t('places.filter')} value={wanted} onChange={setWanted} />}
    >
      {shown.length === 0 && <li className={styles['none']}>{t('places.filter.none')}</li>}
      {shown.map((place) => (
        <PlaceEntry
          key={place.id}
          place={place}
          others={places}
          isShown={isBrowsing && place.id === current?.id}
          isUploadTarget={place.id === current?.id}
          isDropTarget={place.id === dropPlaceId}
          drag={place.isDemo ? null : dragOf(place.id)}
        />
      ))}
      <NavButton
        label={t('places.add')}
        isCurrent={false}
        icon={<Plus size={14} aria-hidden className={styles['glyph']} />}
        onPress={() => {
          openDialog({ kind: 'add-place' })
        }}
      />
    </NavSection>
  )
}

/** The text by which places are filtered. Cleared when it would hide the new current place. */
function useWanted(current: Place | null) {
  const [wanted, setWanted] = useState('')
  const [seenId, setSeenId] = useState(current?.id)
  if (current !== null && current.id !== seenId) {
    setSeenId(current.id)
    if (!matchesPlace(current, wanted)) setWanted('')
  }
  return { wanted, setWanted }
}

interface PlaceEntryProps {
  readonly place: Place
  readonly others: readonly Place[]
  readonly isShown: boolean
  readonly isUploadTarget: boolean
  readonly isDropTarget: boolean
  readonly drag: NavDrag | null
}

function PlaceEntry({ place, others, isShown, isUploadTarget, isDropTarget, drag }: PlaceEntryProps) {
  const light = usePlaceLight(place.id)
  return (
    <NavButton
      label={visibleText(place.name)}
      isCurrent={isShown}
      description={describePlace(place, light, isUploadTarget)}
      dropId={place.id}
      isDropTarget={isDropTarget}
      icon={<PlaceGlyph color={place.color} light={light} />}
      accessory={
        <span className={styles['accessory']}>
          {/* The menu button replaces these while it is shown, so that the name keeps its width. */}
          <span className={styles['marks']}>
            {isUploadTarget && <ArrowUpFromLine size={12} aria-hidden className={styles['target']} />}
            {place.label !== undefined && <span className={styles['tag']}>{visibleText(place.label)}</span>}
            {place.isDemo && <span className={styles['tag']}>{t('places.demo')}</span>}
          </span>
          <PlaceMenu place={place} others={others} />
        </span>
      }
      {...(drag === null ? {} : { drag })}
      onKeyDown={(event) => {
        const to = event.altKey ? neighbor(others, place.id, event.key) : null
        if (to === null) event.continuePropagation()
        else run(movePlace(place.id, to))
      }}
      onPress={() => {
        openPlace(place)
      }}
    />
  )
}

function describePlace({ label }: Place, light: PlaceLight, isUploadTarget: boolean): string {
  const lit = t(`places.light.${light}`)
  const words = isUploadTarget ? t('places.light.and-target', { light: lit }) : lit
  return label === undefined ? words : t('places.light.with-label', { label, words })
}

/** Each light has its own shape, so that none is told apart by color alone. */
function PlaceGlyph({ color, light }: { readonly color: PlaceColor; readonly light: PlaceLight }) {
  const Glyph = light === 'attention' ? CircleAlert : Circle
  return <Glyph size={14} aria-hidden data-place-color={color} data-light={light} className={styles['glyph']} />
}

/** Reorders places by dragging: a place moves to the position of the one that it is dropped on. */
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
      // Dragged files have their own mark.
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

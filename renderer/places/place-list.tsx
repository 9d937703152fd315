import { Circle, CircleDot, Ellipsis, Plus } from 'lucide-react'
import { MenuTrigger } from 'react-aria-components'
import type { Place } from '../../shared/place.ts'
import { run } from '../state/run.ts'
import { openPlace } from '../state/browse-store.ts'
import { useUi } from '../state/selectors.ts'
import { chooseCurrentPlace, currentPlace, removePlace, useApp } from '../state/app-store.ts'
import { ask, openDialog } from '../state/ui-store.ts'
import { Button } from '../ui/button.tsx'
import { MenuList, MenuPopover } from '../ui/menu.tsx'
import { NavButton, NavSection } from '../ui/nav-list.tsx'
import styles from './place-list.module.css'

/** The places, the current one marked: that is where dropped files go. */
export function PlaceList() {
  const places = useApp((state) => state.places)
  const current = useApp(currentPlace)
  const isBrowsing = useUi((state) => state.view === 'browse')
  return (
    <NavSection title="Places">
      {places.map((place) => (
        <NavButton
          key={place.id}
          label={place.name}
          isCurrent={isBrowsing && place.id === current?.id}
          icon={<PlaceGlyph isCurrent={place.id === current?.id} />}
          accessory={
            <span className={styles['accessory']}>
              {place.isDemo && <span className={styles['tag']}>Demo</span>}
              <PlaceMenu place={place} />
            </span>
          }
          onPress={() => {
            openPlace(place)
          }}
        />
      ))}
      <NavButton
        label="Add place"
        isCurrent={false}
        icon={<Plus size={14} aria-hidden className={styles['glyph']} />}
        onPress={() => {
          openDialog({ kind: 'add-place' })
        }}
      />
    </NavSection>
  )
}

function PlaceGlyph({ isCurrent }: { readonly isCurrent: boolean }) {
  const Glyph = isCurrent ? CircleDot : Circle
  return <Glyph size={14} aria-hidden className={styles['glyph']} />
}

function PlaceMenu({ place }: { readonly place: Place }) {
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
            { id: 'key', label: 'Update key…', isDisabled: place.isDemo || place.signature === 'none' },
            { id: 'remove', label: 'Remove place…', startsGroup: true, isDisabled: place.isDemo },
          ]}
          onAction={(entry) => {
            if (entry === 'remove') askToRemove(place)
            else if (entry === 'unfinished') openDialog({ kind: 'unfinished', place })
            else if (entry === 'key') openDialog({ kind: 'add-place', place })
            else download(place)
          }}
        />
      </MenuPopover>
    </MenuTrigger>
  )
}

function download(place: Place): void {
  chooseCurrentPlace(place.id)
  openDialog({ kind: 'download', text: '' })
}

function askToRemove(place: Place): void {
  ask({
    title: `Remove ${place.name}?`,
    body: 'Its key is deleted from this computer. Objects in the place stay as they are.',
    safeLabel: 'Keep',
    confirmLabel: 'Remove place',
    onConfirm: () => {
      run(removePlace(place.id))
    },
  })
}

import { Ellipsis } from 'lucide-react'
import { MenuTrigger } from 'react-aria-components'
import { t } from '../../shared/language/translate.ts'
import { commandLabel } from '../../shared/ipc/menu-commands.ts'
import { exportPlaces, importPlaces } from '../actions/place-files.ts'
import { useApp } from '../state/app-store.ts'
import { openDialog } from '../state/ui/open-dialogs.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { MenuList, MenuPopover } from '../ui/overlays/menu.tsx'
import styles from './place-list.module.css'

/** The menu of actions on the list of places as a whole. */
export function PlacesMenu() {
  const hasOwn = useApp((state) => state.places.some(({ isDemo }) => !isDemo))
  return (
    <MenuTrigger>
      <Button look="quiet" label={t('places.actions')} className={cx(styles['more'], styles['ofAll'])}>
        <Ellipsis size={14} aria-hidden />
      </Button>
      <MenuPopover placement="bottom start">
        <MenuList
          label={t('places.actions')}
          entries={[
            { id: 'add-place', label: commandLabel('add-place') },
            { id: 'import-places', label: commandLabel('import-places'), startsGroup: true },
            { id: 'export-places', label: commandLabel('export-places'), isDisabled: !hasOwn },
          ]}
          onAction={(entry) => {
            if (entry === 'import-places') importPlaces()
            else if (entry === 'export-places') exportPlaces()
            else openDialog({ kind: 'add-place' })
          }}
        />
      </MenuPopover>
    </MenuTrigger>
  )
}

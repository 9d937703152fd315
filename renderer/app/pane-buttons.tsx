import { PanelLeft, PanelRight } from 'lucide-react'
import { commandLabel } from '../../shared/ipc/menu-commands.ts'
import { t } from '../../shared/language/translate.ts'
import { useQueueLength, useUi } from '../state/selectors.ts'
import { isInspectorShown, NARROW, toggleDrawer, toggleInspector } from '../state/ui/panes.ts'
import { Button } from '../ui/button.tsx'
import { useMedia } from '../ui/hooks/use-media.ts'
import styles from './app.module.css'

/** Opens the sidebar when the window is too narrow to show it permanently. */
export function SidebarButton() {
  const isOpen = useUi((state) => state.drawer === 'sidebar')
  return (
    <span className={styles['sidebarButton']}>
      <Button look="quiet" label={t('app.sidebar')} isExpanded={isOpen} onPress={() => toggleDrawer('sidebar')}>
        <PanelLeft size={16} aria-hidden />
      </Button>
    </span>
  )
}

/** Shows the inspector, beside the list or over it in a narrow window. Not offered while the list is empty. */
export function InspectorButton() {
  // Redraws when the window becomes narrow or wide.
  useMedia(NARROW)
  const isShown = useUi(isInspectorShown)
  const isBrowsing = useUi(({ view }) => view === 'browse')
  const hasRows = useQueueLength() > 0
  const isOffered = isBrowsing || hasRows
  return (
    <span className={styles['inspectorButton']}>
      <Button
        look="quiet"
        label={commandLabel('toggle-inspector')}
        shortcut="Mod+I"
        isDisabled={!isOffered}
        isPressed={isOffered && isShown}
        onPress={toggleInspector}
      >
        <PanelRight size={16} aria-hidden />
      </Button>
    </span>
  )
}

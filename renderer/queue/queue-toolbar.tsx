import { ArrowDownToLine, ArrowUpFromLine, FolderUp, PanelRight, Pause, Play, X, type LucideIcon } from 'lucide-react'
import { Group, Separator, Toolbar } from 'react-aria-components'
import { FILTER_FIELD_ID } from '../actions/field-ids.ts'
import { pauseAll, perform, removeRows, resumeAll } from '../actions/transfer-actions.ts'
import { chooseAndUpload, chooseAndUploadFolder } from '../actions/upload-actions.ts'
import { selectedFor, useIsAnyFor, useSelectedCount, useUi } from '../state/selectors.ts'
import { openDialog, setSearch, toggleInspector } from '../state/ui-store.ts'
import { Button } from '../ui/button.tsx'
import { SearchField } from '../ui/fields.tsx'
import toolbar from '../ui/toolbar.module.css'
import styles from './queue-toolbar.module.css'

/** One line above the list: add, act on the selection, act on all, filter. */
export function QueueToolbar() {
  const search = useUi((state) => state.search)
  const inspectorOpen = useUi((state) => state.inspectorOpen)
  return (
    <div className={toolbar['bar']}>
      <Toolbar aria-label="Actions" className={toolbar['tools'] ?? ''}>
        <Button onPress={chooseAndUpload}>
          <ArrowUpFromLine size={14} aria-hidden /> Upload…
        </Button>
        <Button label="Upload folder…" onPress={chooseAndUploadFolder}>
          <FolderUp size={14} aria-hidden />
        </Button>
        <Button
          onPress={() => {
            openDialog({ kind: 'download', text: null })
          }}
        >
          <ArrowDownToLine size={14} aria-hidden /> Download…
        </Button>
        <Separator orientation="vertical" className={toolbar['line'] ?? ''} />
        <Group aria-label="Selection" className={toolbar['group'] ?? ''}>
          <SelectionButton action="pause" label="Pause" Icon={Pause} />
          <SelectionButton action="resume" label="Resume" Icon={Play} />
          <SelectionButton action="remove" label="Remove" Icon={X} />
        </Group>
        <Separator orientation="vertical" className={toolbar['line'] ?? ''} />
        <AllButtons />
      </Toolbar>
      <div className={toolbar['search']}>
        <SearchField id={FILTER_FIELD_ID} label="Filter transfers" value={search} onChange={setSearch} />
      </div>
      <Button
        look="quiet"
        label="Inspector"
        isPressed={inspectorOpen}
        className={styles['inspector']}
        onPress={toggleInspector}
      >
        <PanelRight size={16} aria-hidden />
      </Button>
    </div>
  )
}

interface SelectionButtonProps {
  readonly action: 'pause' | 'resume' | 'remove'
  readonly label: string
  readonly Icon: LucideIcon
}

/** Says how many transfers it is about when there are several. */
function SelectionButton({ action, label, Icon }: SelectionButtonProps) {
  const count = useSelectedCount(action)
  return (
    <Button
      look="quiet"
      isDisabled={count === 0}
      onPress={() => {
        const ids = selectedFor(action)
        if (action === 'remove') removeRows(ids)
        else perform(action, ids)
      }}
    >
      <Icon size={14} aria-hidden />
      <span className={styles['label']}>{label}</span>
      {count > 1 && <span className={styles['count']}> {count}</span>}
    </Button>
  )
}

function AllButtons() {
  return (
    <>
      <Button look="quiet" isDisabled={!useIsAnyFor('pause')} onPress={pauseAll}>
        Pause all
      </Button>
      <Button look="quiet" isDisabled={!useIsAnyFor('resume')} onPress={resumeAll}>
        Resume all
      </Button>
    </>
  )
}

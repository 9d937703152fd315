import { Upload } from 'lucide-react'
import { useState } from 'react'
import { startSample } from '../actions/upload-actions.ts'
import { useApp } from '../state/app-store.ts'
import { useListLayout, useQueueLength, useUi } from '../state/selectors.ts'
import { openDialog, run, setFilter, setSearch } from '../state/ui-store.ts'
import { Button } from '../ui/button.tsx'
import styles from './empty-state.module.css'

/** What the list says when it has nothing to show; nothing otherwise. */
export function EmptyState() {
  const isEmpty = useQueueLength() === 0
  const isNothingShown = useListLayout().count === 0
  if (isEmpty) return <FirstRun />
  return isNothingShown ? <NoMatch /> : null
}

function FirstRun() {
  const hasOwnPlace = useApp((state) => state.places.some((place) => !place.isDemo))
  return (
    <div className={styles['first']}>
      <div className={styles['target']}>
        <Upload size={28} strokeWidth={1.5} aria-hidden className={styles['icon']} />
        <h2 className={styles['title']}>Drop files here to upload</h2>
        {!hasOwnPlace && <p className={styles['line']}>Nothing leaves this computer until you add a place.</p>}
        <div className={styles['buttons']}>
          <SampleButton />
          <Button
            onPress={() => {
              openDialog({ kind: 'add-place' })
            }}
          >
            Add a place…
          </Button>
          <Button
            onPress={() => {
              openDialog({ kind: 'download', text: '' })
            }}
          >
            Download from a link…
          </Button>
        </div>
      </div>
    </div>
  )
}

function SampleButton() {
  const [isMaking, setIsMaking] = useState(false)
  return (
    <Button
      isDisabled={isMaking}
      onPress={() => {
        setIsMaking(true)
        run(
          startSample().finally(() => {
            setIsMaking(false)
          }),
        )
      }}
    >
      {isMaking ? 'Making a file of 2 GB…' : 'Try with a sample'}
    </Button>
  )
}

function NoMatch() {
  const search = useUi((state) => state.search)
  const filter = useUi((state) => state.filter)
  if (search === '') return <p className={styles['note']}>{NOTHING[filter]}</p>
  return (
    <p className={styles['note']}>
      No transfer matches “{search}”
      <Button
        look="quiet"
        onPress={() => {
          setSearch('')
          setFilter('all')
        }}
      >
        Clear
      </Button>
    </p>
  )
}

const NOTHING = {
  all: 'Nothing here',
  active: 'Nothing is moving',
  waiting: 'Nothing is waiting',
  paused: 'Nothing is paused',
  attention: 'Nothing needs you',
  done: 'Nothing is done yet',
} as const

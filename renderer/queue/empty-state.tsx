import { Upload } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../shared/language/translate.ts'
import { FILTER_FIELD_ID } from '../actions/field-ids.ts'
import { startSample } from '../actions/upload-actions.ts'
import { useApp } from '../state/app-store.ts'
import { useHasFolders, useListLayout, useQueueLength, useUi } from '../state/selectors.ts'
import { openDialog } from '../state/ui/open-dialogs.ts'
import { run } from '../state/ui/messages.ts'
import { setFilter, setSearch } from '../state/ui/list-view.ts'
import { Button } from '../ui/button.tsx'
import styles from './empty-state.module.css'

/** Shown in place of the list when it has nothing to show. */
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
        <h2 className={styles['title']}>{t('queue.empty.drop')}</h2>
        {!hasOwnPlace && <p className={styles['line']}>{t('queue.empty.local')}</p>}
        <div className={styles['buttons']}>
          <SampleButton />
          <Button
            onPress={() => {
              openDialog({ kind: 'add-place' })
            }}
          >
            {t('queue.empty.add-place')}
          </Button>
          <Button
            onPress={() => {
              openDialog({ kind: 'download', text: '' })
            }}
          >
            {t('queue.empty.from-link')}
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
      keepsFocus
      onPress={() => {
        setIsMaking(true)
        run(
          startSample().finally(() => {
            setIsMaking(false)
          }),
        )
      }}
    >
      {t(isMaking ? 'queue.empty.making' : 'queue.empty.sample')}
    </Button>
  )
}

function NoMatch() {
  const search = useUi((state) => state.search)
  const filter = useUi((state) => state.filter)
  const isOfOnePlace = useUi((state) => state.onlyPlaceId !== null)
  const hasFolders = useHasFolders()
  if (search === '' && isOfOnePlace) return <p className={styles['note']}>{t('queue.nothing.of-place')}</p>
  if (search === '') return <p className={styles['note']}>{t(`queue.nothing.${filter}`)}</p>
  return (
    <p className={styles['note']}>
      <span>
        {t('queue.no-match.text', { search })}
        {hasFolders && <span className={styles['apart']}>{t('queue.no-match.folders')}</span>}
      </span>
      <Button
        onPress={() => {
          // The button is about to disappear, so the focus moves to the field with the words.
          document.getElementById(FILTER_FIELD_ID)?.focus()
          setSearch('')
          setFilter('all')
        }}
      >
        {t('queue.no-match.clear')}
      </Button>
    </p>
  )
}

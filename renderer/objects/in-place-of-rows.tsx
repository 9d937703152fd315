import type { ReactNode } from 'react'
import { t } from '../../shared/language/translate.ts'
import { refusalWords } from '../../shared/transfer/words/error-words.ts'
import { retryListing, setObjectSearch, useObjectList, type ObjectList } from '../state/objects/object-list.ts'
import { Button } from '../ui/button.tsx'
import styles from './in-place-of-rows.module.css'

export interface InPlaceOfRowsProps {
  readonly list: ObjectList
  /** Shown for an empty folder. */
  readonly empty: ReactNode
  /** What may help besides trying again when nothing could be read. */
  readonly remedy?: ReactNode
  /** Whether trying again can help; by default it can. */
  readonly mayRetry?: boolean
  /** More buttons beside the one that tries again. */
  readonly ways?: ReactNode
}

/** Shown when there are no rows: says why, and what can be done about it. */
export function InPlaceOfRows({ list, empty, remedy, mayRetry = true, ways }: InPlaceOfRowsProps) {
  const { shown, search, state, error } = useObjectList(list, ({ listing }) => listing)
  const sought = useObjectList(list, (browse) => browse.sought)
  if (shown.length > 0) return null
  if (state === 'failed') {
    return (
      <div className={styles['empty']}>
        <p role="alert" className={styles['failure']}>
          {refusalWords(error ?? '')}
        </p>
        {remedy}
        <div className={styles['ways']}>
          {mayRetry && <Button onPress={() => retryListing(list)}>{t('common.retry')}</Button>}
          {ways}
        </div>
      </div>
    )
  }
  if (search !== '') {
    return (
      <p className={styles['empty']}>
        {t('browser.no-match', { search })}
        <Button look="quiet" onPress={() => setObjectSearch(list, '')}>
          {t('browser.clear')}
        </Button>
      </p>
    )
  }
  if (state === 'listing')
    return <p className={styles['empty']}>{t(sought === null ? 'browser.listing' : 'browser.searching')}</p>
  if (sought !== null) return <p className={styles['empty']}>{t('browser.search.none', { sought })}</p>
  return <div className={styles['empty']}>{empty}</div>
}

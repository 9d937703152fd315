import { t } from '../../../shared/language/translate.ts'
import { visibleText } from '../../../shared/visible-text.ts'
import { placeById, useApp } from '../../state/app-store.ts'
import { useUi } from '../../state/selectors.ts'
import { showOnlyPlace } from '../../state/ui/list-view.ts'
import { Button } from '../../ui/button.tsx'
import { focusList } from '../../ui/hooks/use-focus-back.ts'
import styles from './place-filter-bar.module.css'

/** Says that the list shows the transfers of one place only, with a button to show all. */
export function PlaceFilterBar() {
  const onlyPlaceId = useUi((state) => state.onlyPlaceId)
  const place = useApp((state) => placeById(state, onlyPlaceId))
  return place === null ? null : (
    <div role="status" className={styles['bar']}>
      <span className={styles['words']}>{t('queue.only-place', { place: visibleText(place.name) })}</span>
      <Button
        look="quiet"
        onPress={() => {
          // The button is about to disappear, so the focus moves to the list.
          focusList()
          showOnlyPlace(null)
        }}
      >
        {t('queue.show-all')}
      </Button>
    </div>
  )
}

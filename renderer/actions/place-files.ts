// Exports places for another computer, and imports them, without their secret keys.

import { sentences } from '../../shared/language/sentences.ts'
import { t } from '../../shared/language/translate.ts'
import type { ImportedPlaces } from '../../shared/place/place.ts'
import { request } from '../bridge.ts'
import { addPlacesOfFile } from '../state/app-store.ts'
import { run, showToast } from '../state/ui/messages.ts'

export function exportPlaces(): void {
  run(
    request('places:export', null).then((count) => {
      if (count !== null) showToast(() => t('commands.places.exported', { count }))
    }),
  )
}

export function importPlaces(): void {
  run(
    addPlacesOfFile().then((result) => {
      if (result !== null) showToast(() => importWords(result))
    }),
  )
}

/** "2 places added. Enter their secret keys to use them." Pure. */
function importWords({ added, known, unreadable }: ImportedPlaces): string {
  return sentences([
    added === 0 ? t('commands.places.none-added') : t('commands.places.added', { count: added }),
    known > 0 ? t('commands.places.known', { count: known }) : '',
    unreadable > 0 ? t('commands.places.unreadable', { count: unreadable }) : '',
  ])
}

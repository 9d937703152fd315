// Places that go to another computer, and come from there: without their secret keys.

import type { ImportedPlaces } from '../../shared/place/place.ts'
import { request } from '../bridge.ts'
import { addPlacesOfFile } from '../state/app-store.ts'
import { run, showToast } from '../state/ui-store.ts'
import { plural } from '../words/format.ts'

export function exportPlaces(): void {
  run(
    request('places:export', null).then((count) => {
      if (count !== null) showToast(`${plural(count, 'place')} exported, without secret keys.`)
    }),
  )
}

export function importPlaces(): void {
  run(
    addPlacesOfFile().then((result) => {
      if (result !== null) showToast(importWords(result))
    }),
  )
}

/** "2 places added. Enter their secret keys to use them." Pure. */
function importWords({ added, known, unreadable }: ImportedPlaces): string {
  const keys = added === 1 ? 'Enter its secret key to use it.' : 'Enter their secret keys to use them.'
  const others = [
    known > 0 ? `${plural(known, 'place')} already here.` : '',
    unreadable > 0 ? `${plural(unreadable, 'place')} couldn’t be read.` : '',
  ]
  return [added === 0 ? 'No place added.' : `${plural(added, 'place')} added. ${keys}`, ...others]
    .filter((part) => part !== '')
    .join(' ')
}

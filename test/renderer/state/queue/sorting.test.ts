import { expect, it } from 'vitest'
import { appStore } from '../../../../renderer/state/app-store.ts'
import { resetQueue } from '../../../../renderer/state/queue/queue-store.ts'
import { connectShownIds, shownIds } from '../../../../renderer/state/shown-ids.ts'
import { setSort } from '../../../../renderer/state/ui/list-view.ts'
import type { Place } from '../../../../shared/place/place.ts'
import { beginWithFreshUi } from '../../fresh-ui.ts'
import { makeRow, noTotals } from '../../rows.ts'

beginWithFreshUi()

it('sorts by place anew when a place is renamed', () => {
  const place = (id: string, name: string) => ({ id, name }) as Place
  appStore.setState({ places: [place('one', 'Archive'), place('two', 'Studio')] })
  const disconnect = connectShownIds()
  const rows = [makeRow({ id: 'b', placeId: 'two' }), makeRow({ id: 'a', placeId: 'one' })]
  resetQueue({ seq: 1, rows, totals: noTotals })
  setSort('place')
  expect(shownIds()).toEqual(['a', 'b'])
  appStore.setState({ places: [place('one', 'Zoo'), place('two', 'Studio')] })
  expect(shownIds()).toEqual(['b', 'a'])
  disconnect()
})

import { expect, test } from 'vitest'
import { selectAllEntries, selectedEntries } from '../../../renderer/state/browse-selection.ts'
import { browseStore, setObjectSearch } from '../../../renderer/state/browse-store.ts'
import { folderEntry, NOTHING_LISTED, reduceListing } from '../../../renderer/state/listing.ts'

const keys = () => selectedEntries(browseStore.getState()).map(({ key }) => key)

test('what a filter hides is not selected, so nothing is done to it unseen', () => {
  const entries = ['a/', 'ab/', 'b/'].map((key) => folderEntry(key, ''))
  browseStore.setState({ listing: reduceListing(NOTHING_LISTED, { kind: 'page', entries, nextMarker: null }) })
  selectAllEntries()
  expect(keys()).toEqual(['a/', 'ab/', 'b/'])
  setObjectSearch('a')
  expect(keys()).toEqual(['a/', 'ab/'])
  setObjectSearch('')
  expect(keys()).toEqual(['a/', 'ab/', 'b/'])
})

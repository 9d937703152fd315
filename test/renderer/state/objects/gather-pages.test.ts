import { expect, onTestFinished, test, vi } from 'vitest'
import { gatherPages } from '../../../../renderer/state/objects/gather-pages.ts'
import { folderEntry } from '../../../../renderer/state/objects/listing.ts'

function gatherer() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const shown: unknown[] = []
  const pages = gatherPages((entries, nextMarker) => shown.push([entries.map(({ key }) => key), nextMarker]))
  return { shown, pages, page: (key: string, isLast = false) => pages.add([folderEntry(key, '')], isLast ? null : key) }
}

test('shows the first page at once, those that come fast together, and the last without a pause', () => {
  const { shown, page } = gatherer()
  page('a/')
  page('b/')
  page('c/')
  expect(shown).toEqual([[['a/'], 'a/']])
  vi.runOnlyPendingTimers()
  page('d/')
  expect(shown.slice(1)).toEqual([[['b/', 'c/'], 'c/']])
  page('e/', true)
  expect(shown.slice(2)).toEqual([[['d/', 'e/'], null]])
  vi.runAllTimers()
  expect(shown).toHaveLength(3)
})

test('shows pages as they come where they come slowly', () => {
  const { shown, page } = gatherer()
  page('a/')
  vi.runAllTimers()
  page('b/')
  expect(shown).toHaveLength(2)
})

test('shows what it holds when asked to, and nothing of a folder that was left', () => {
  const { shown, pages, page } = gatherer()
  page('a/')
  page('b/')
  pages.flush()
  expect(shown).toHaveLength(2)
  page('c/')
  pages.drop()
  vi.runAllTimers()
  expect(shown).toHaveLength(2)
})

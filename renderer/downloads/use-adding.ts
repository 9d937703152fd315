import { useState } from 'react'
import { downloadPicked, type Saving } from '../actions/browse-actions.ts'
import type { Entry } from '../state/objects/listing.ts'
import type { BrowseLocation } from '../state/objects/location.ts'
import { useSubmit } from '../ui/hooks/use-submit.ts'

/** Adds downloads in portions. The sheet closes when all are added; closing it earlier stops the rest. */
export function useAdding(onClose: () => void) {
  const [added, setAdded] = useState(0)
  const [closing] = useState(() => new AbortController())
  const { signal } = closing
  const { isBusy, error, submit } = useSubmit(() => {
    if (!signal.aborted) onClose()
  })
  return {
    /** How many lines have been added. */
    added,
    isBusy,
    error,
    add: (location: BrowseLocation, entries: readonly Entry[], saving: Saving) => {
      submit(() => downloadPicked(location, entries, saving, { tell: setAdded, signal }))
    },
    close: () => {
      closing.abort()
      onClose()
    },
  }
}

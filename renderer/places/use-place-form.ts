import { useState } from 'react'
import { isSound, type CheckRemedy, type PlaceCheck } from '../../shared/place-check.ts'
import type { Place } from '../../shared/place.ts'
import { addPlace, checkPlace, editPlace } from '../state/app-store.ts'
import { draftOf, isComplete, newDraft, placeOf, withRegion, type PlaceDraft } from './place-draft.ts'

export interface PlaceForm {
  readonly draft: PlaceDraft
  /** Of the draft as it is now; null: not tested. */
  readonly check: PlaceCheck | null
  readonly isComplete: boolean
  readonly busy: 'test' | 'save' | null
  readonly error: string | null
  readonly change: (draft: PlaceDraft) => void
  readonly test: () => void
  /** Tests first. What doesn't work is saved only when it is sent again as it is: a person may know better. */
  readonly save: () => void
  /** Changes what a test found, and tests again. */
  readonly apply: (remedy: CheckRemedy) => void
}

/** The state of the form of a place, a new one or one that is edited. */
export function usePlaceForm(known: Place | null, onClose: () => void): PlaceForm {
  const [draft, setDraft] = useState<PlaceDraft>(() => (known === null ? newDraft() : draftOf(known)))
  const [tested, setTested] = useState<{ readonly draft: PlaceDraft; readonly check: PlaceCheck } | null>(null)
  const [busy, setBusy] = useState<PlaceForm['busy']>(null)
  const [error, setError] = useState<string | null>(null)
  const check = tested?.draft === draft ? tested.check : null
  const id = known?.id ?? null

  async function store(place: PlaceDraft): Promise<void> {
    await (id === null ? addPlace(placeOf(place)) : editPlace(id, placeOf(place)))
    onClose()
  }

  /** Also takes over the region that the service named. */
  async function tryOut(place: PlaceDraft): Promise<{ readonly draft: PlaceDraft; readonly check: PlaceCheck }> {
    const found = await checkPlace(id, placeOf(place))
    const result = { draft: found.region === null ? place : withRegion(place, found.region), check: found }
    setDraft(result.draft)
    setTested(result)
    return result
  }

  async function saveTested(): Promise<void> {
    if (check !== null) return store(draft)
    const result = await tryOut(draft)
    if (isSound(result.check)) await store(result.draft)
  }

  async function during(what: 'test' | 'save', work: () => Promise<unknown>): Promise<void> {
    if (busy !== null) return
    setBusy(what)
    setError(null)
    try {
      await work()
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : 'Something went wrong in the app.')
    } finally {
      setBusy(null)
    }
  }

  return {
    ...{ draft, check, busy, error, isComplete: isComplete(draft, known) },
    change: setDraft,
    test: () => void during('test', () => tryOut(draft)),
    save: () => void during('save', saveTested),
    apply: ({ changes }) => void during('test', () => tryOut({ ...draft, ...changes })),
  }
}

import { useLayoutEffect, useRef, useState, type RefObject } from 'react'
import type { MessageKey } from '../../shared/language/english.ts'
import { t } from '../../shared/language/translate.ts'
import { message } from '../../shared/language/message.ts'
import { errorOf, WordedError } from '../../shared/language/worded-error.ts'
import { isSound, type CheckRemedy, type PlaceCheck } from '../../shared/place/place-check.ts'
import { assertNever } from '../../shared/assert.ts'
import type { CertificateSubject } from '../../shared/ipc/network-requests.ts'
import type { NewPlace, Place, PlaceId } from '../../shared/place/place.ts'
import { addPlace, appStore, checkPlace, duplicatePlace, editPlace, placeLike } from '../state/app-store.ts'
import { notePlaceChanged, openPlace } from '../state/browse-store.ts'
import { secretIn } from '../ui/fields/secret-field.tsx'
import {
  draftOf,
  isComplete,
  newDraft,
  placeOf,
  usualPreset,
  withRegion,
  withScheme,
  type PlaceDraft,
} from './place-draft.ts'

export interface PlaceForm {
  readonly draft: PlaceDraft
  /** The fields of the secrets, which are kept nowhere else. */
  readonly secretKey: RefObject<HTMLInputElement | null>
  readonly sessionToken: RefObject<HTMLInputElement | null>
  readonly bucketField: RefObject<HTMLInputElement | null>
  /** The result of testing the present draft; null: it was not tested. */
  readonly check: PlaceCheck | null
  readonly isComplete: boolean
  readonly busy: 'test' | 'save' | null
  readonly error: string | null
  /** The existing place that equals the new one. Once this was said, saving changes that place. */
  readonly twin: Place | null
  /** The server whose certificate is shown over the form; null: none. */
  readonly certificate: CertificateSubject | null
  readonly change: (draft: PlaceDraft) => void
  readonly test: () => void
  /** Tests first. A place that fails the test is saved only on a second try: the person may know better. */
  readonly save: () => void
  /** Makes the change that a test suggested and tests again, or leads to what the person has to change or look at. */
  readonly apply: (remedy: CheckRemedy) => void
  readonly hideCertificate: () => void
}

interface Tested {
  readonly draft: PlaceDraft
  readonly check: PlaceCheck
}

/** Adds a place, with the secrets of another one if it is like that, and opens it; or changes the one with this id. */
async function keep(id: PlaceId | null, like: Place | null, place: NewPlace): Promise<void> {
  if (id === null) return openPlace(await (like === null ? addPlace(place) : duplicatePlace(like.id, place)))
  await editPlace(id, place)
  notePlaceChanged(id)
}

function firstDraft({ known, like }: PlaceSources): PlaceDraft {
  if (known !== null) return draftOf(known)
  if (like === null) return newDraft(usualPreset(appStore.getState().places))
  return { ...draftOf(like), name: t('places.duplicate.name', { name: like.name }) }
}

/** A reference to the draft that the form shows now, for work that began with an earlier one; null: it is closed. */
function useShown(draft: PlaceDraft): RefObject<PlaceDraft | null> {
  const shown = useRef<PlaceDraft | null>(null)
  useLayoutEffect(() => {
    shown.current = draft
    return () => {
      shown.current = null
    }
  }, [draft])
  return shown
}

/** Does one thing at a time, and keeps why it failed. */
function useWork() {
  const [busy, setBusy] = useState<PlaceForm['busy']>(null)
  const [error, setError] = useState<Error | null>(null)

  async function during(what: 'test' | 'save', work: () => Promise<unknown>): Promise<void> {
    if (busy !== null) return
    setBusy(what)
    setError(null)
    try {
      await work()
    } catch (failure) {
      setError(errorOf(failure, 'transfer.row.internal'))
    } finally {
      setBusy(null)
    }
  }

  return { busy, error: error?.message ?? null, during }
}

/** The place that is edited, and the one that a new one is filled in like. */
export interface PlaceSources {
  readonly known: Place | null
  readonly like: Place | null
}

/** The state of the form for adding or editing a place. */
export function usePlaceForm({ known, like }: PlaceSources, onClose: () => void): PlaceForm {
  const [draft, setDraft] = useState(() => firstDraft({ known, like }))
  const [tested, setTested] = useState<Tested | null>(null)
  const { busy, error, during } = useWork()
  const [asked, setAsked] = useState<{ readonly draft: PlaceDraft; readonly twin: Place } | null>(null)
  const [certificate, setCertificate] = useState<CertificateSubject | null>(null)
  const secretKey = useRef<HTMLInputElement>(null)
  const sessionToken = useRef<HTMLInputElement>(null)
  const bucketField = useRef<HTMLInputElement>(null)
  const shown = useShown(draft)
  const check = tested?.draft === draft ? tested.check : null
  const twin = asked?.draft === draft ? asked.twin : null
  const id = known?.id ?? null
  const source = known ?? like

  /** The draft with its secrets, which are read each time they are sent, and kept nowhere. */
  function entered(place: PlaceDraft): NewPlace {
    return placeOf(place, { secretAccessKey: secretIn(secretKey), sessionToken: secretIn(sessionToken) })
  }

  async function store(place: PlaceDraft): Promise<void> {
    const given = entered(place)
    const same = id === null ? placeLike(given) : null
    if (same !== null && same.id !== twin?.id) {
      setAsked({ draft: place, twin: same })
      throw new WordedError(message('places.sheet.twin', { name: same.name }))
    }
    await keep(id ?? same?.id ?? null, like, given)
    onClose()
  }

  /**
   * Tests a draft and adopts the region that the service named. If something is typed meanwhile, that stays and this
   * throws `changed`, because the result belongs to something else.
   */
  async function tryOut(typed: PlaceDraft, changed: MessageKey): Promise<Tested> {
    const place = withScheme(typed)
    const found = await checkPlace(source?.id ?? null, entered(place))
    if (shown.current !== draft) throw new WordedError(message(changed))
    const result = { draft: found.region === null ? place : withRegion(place, found.region), check: found }
    setDraft(result.draft)
    setTested(result)
    return result
  }

  async function saveTested(): Promise<void> {
    // A secret in a locked keyring can't be tested, and stays as it is.
    const isUntestable = source?.isLocked === true && secretIn(secretKey) === ''
    if (check !== null || isUntestable) return store(withScheme(draft))
    const result = await tryOut(draft, 'places.sheet.changed-not-saved')
    if (isSound(result.check)) await store(result.draft)
  }

  function test(typed: PlaceDraft): void {
    void during('test', () => tryOut(typed, 'places.sheet.changed-in-test'))
  }

  function apply(remedy: CheckRemedy): void {
    switch (remedy.kind) {
      case 'change':
        return test({ ...draft, ...remedy.changes })
      case 'bucket':
        return bucketField.current?.select()
      case 'certificate':
        return setCertificate({ kind: 'origin', origin: remedy.origin })
      default:
        return assertNever(remedy)
    }
  }

  return {
    ...{ draft, secretKey, sessionToken, bucketField, check, busy, error, twin, certificate },
    isComplete: isComplete(draft, source),
    change: setDraft,
    test: () => test(draft),
    save: () => void during('save', saveTested),
    apply,
    hideCertificate: () => setCertificate(null),
  }
}

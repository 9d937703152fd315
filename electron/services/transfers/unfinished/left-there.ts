import { message } from '../../../../shared/language/message.ts'
import type { Refusal } from '../../../../shared/transfer/words/error-words.ts'
import type { TransferErrorInfo } from '../../../../shared/transfer/transfer-error.ts'
import { visibleText } from '../../../../shared/visible-text.ts'
import type { Clock, DueAbort, Engine } from '../../../engine/index.ts'
import type { Places } from '../../places/places.ts'

/** Uploads that are discarded together are refused one after another, but reported in one notice. */
const GATHER_MS = 500

interface LeftThereDeps {
  readonly clock: Clock
  readonly places: Pick<Places, 'list'>
  readonly tell: (...sentences: readonly Refusal[]) => void
}

interface Left extends DueAbort {
  readonly error: TransferErrorInfo | null
}

/** Reports uploads that could not be discarded at their service, because by then their rows are gone. */
export function createLeftThere({ clock, places, tell }: LeftThereDeps): Parameters<Engine['onNotDiscarded']>[0] {
  let gathered: Left[] = []

  async function tellSoon(): Promise<void> {
    await clock.sleep(GATHER_MS, new AbortController().signal)
    const byPlace = new Map<string, Left[]>()
    for (const left of gathered) byPlace.set(placeIdOf(left), [...(byPlace.get(placeIdOf(left)) ?? []), left])
    gathered = []
    tell(...[...byPlace].flatMap(([placeId, uploads]) => sentencesOf(uploads, nameOf(placeId))))
  }

  function nameOf(placeId: string): string | null {
    return places.list().find(({ id }) => id === placeId)?.name ?? null
  }

  return (upload, error) => {
    if (gathered.push({ ...upload, error }) === 1) void tellSoon()
  }
}

function placeIdOf({ location }: DueAbort): string {
  return location.kind === 'place' ? location.placeId : ''
}

/** @param place null if it was removed. */
function sentencesOf(uploads: readonly Left[], place: string | null): readonly Refusal[] {
  const [first] = uploads
  const name = visibleText(first?.key ?? '')
  const values = { count: uploads.length, name }
  if (place === null) return [message('services.left-there.no-place', values), message('services.left-there.add-place')]
  const bucket = first?.location.kind === 'place' ? first.location.bucket : ''
  const context = { name, placeName: place, bucket, localPath: name }
  const error = first?.error ?? null
  return [
    message('services.left-there.kept', { ...values, place }),
    ...(error === null ? [] : [{ error, context }]),
    message('services.left-there.try-again'),
  ]
}

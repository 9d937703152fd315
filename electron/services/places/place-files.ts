// Places as a file for another computer: everything except secrets and what belongs to this computer.

import { writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../../shared/parse-json.ts'
import { placeIdentity, type ImportedPlaces } from '../../../shared/place/place.ts'
import { nodeFiles, readSmallFile } from '../../engine/index.ts'
import { fitting } from '../../parsing/fitting.ts'
import { RequestError } from '../requests/request-error.ts'
import { placeSchema } from '../persistence/schemas.ts'
import type { Places } from './places.ts'
import { message } from '../../../shared/language/message.ts'

const MAX_FILE_BYTES = 1_000_000
const MAX_PLACES = 1000

const sharedPlace = placeSchema.omit({ downloadsFolder: true })
const placeFile = z.strictObject({ sluicePlaces: z.literal(1), places: z.array(z.unknown()).max(MAX_PLACES) })

/** Writes the places that a person added, and returns how many. Throws RequestError. */
export async function exportPlaces(places: Pick<Places, 'list'>, path: string): Promise<number> {
  const shared = places.list().flatMap((place) => (place.isDemo ? [] : [z.object(sharedPlace.shape).parse(place)]))
  const text = `${JSON.stringify({ sluicePlaces: 1, places: shared }, null, 2)}\n`
  await writeFile(path, text).catch(() => {
    throw new RequestError(message('services.place.not-written', { name: basename(path) }))
  })
  return shared.length
}

/**
 * Adds the places of a file that are not here yet; they have no secret, and ask for one. The file may come from a
 * stranger, so no profile of this computer signs for its services until a person chooses one. Throws RequestError.
 */
export async function importPlaces(places: Pick<Places, 'list' | 'add'>, path: string): Promise<ImportedPlaces> {
  const read = (await readPlaces(path)).map((entry) => fitting(sharedPlace, entry) ?? null)
  let [added, known, unreadable] = [0, 0, 0]
  for (const place of read) {
    if (place === null) {
      unreadable += 1
      continue
    }
    const unsigned = { ...place, profile: '' }
    const same = [placeIdentity(place), placeIdentity(unsigned)]
    if (places.list().some((other) => same.includes(placeIdentity(other)))) known += 1
    else {
      await places.add({ ...unsigned, secretAccessKey: '', sessionToken: '' })
      added += 1
    }
  }
  return { added, known, unreadable }
}

async function readPlaces(path: string): Promise<readonly unknown[]> {
  const text = await readSmallFile(nodeFiles, path, MAX_FILE_BYTES).catch(() => null)
  try {
    return placeFile.parse(parseJson(text?.toString() ?? '')).places
  } catch {
    throw new RequestError(message('services.place.none-in-file', { name: basename(path) }))
  }
}

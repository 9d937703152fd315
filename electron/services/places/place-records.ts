import { z } from 'zod'
import { fitting } from '../../parsing/fitting.ts'
import type { NamedValues } from '../persistence/named-values.ts'
import { placeSchema } from '../persistence/schemas.ts'

const NAME = 'places'

/** A stored place. A sealed text is null when there is no such secret, or nothing to seal it with. */
const storedPlace = placeSchema.extend({
  id: z.uuid(),
  sealedSecret: z.string().nullable(),
  sealedToken: z.string().nullable(),
})
export type StoredPlace = z.infer<typeof storedPlace>

/** Values of members that older entries lack. */
const SINCE = { profile: '', color: 'none', sealedToken: null }

export interface StoredPlaces {
  readonly all: () => readonly StoredPlace[]
  /** Changes the places; changes run one after another. Resolves when this one is durable. */
  readonly update: (change: (places: readonly StoredPlace[]) => readonly StoredPlace[]) => Promise<void>
}

/** Loads the stored places. Entries that can't be read, such as a newer version's, stay as they are. */
export async function loadStoredPlaces(values: NamedValues): Promise<StoredPlaces> {
  const entries = (await values.read(NAME, z.array(z.unknown()))) ?? []
  const parsed = entries.map((entry) => fitting(storedPlace, migratePlace(entry)) ?? null)
  const others = entries.filter((_, index) => parsed[index] === null)
  let places: readonly StoredPlace[] = parsed.filter((place) => place !== null)
  let changed: Promise<unknown> = Promise.resolve()

  async function apply(change: (places: readonly StoredPlace[]) => readonly StoredPlace[]): Promise<void> {
    const next = change(places)
    await values.write(NAME, [...next, ...others])
    places = next
  }

  return {
    all: () => places,
    update: (change) => {
      const done = changed.then(() => apply(change))
      changed = done.catch(() => undefined)
      return done
    },
  }
}

/** Brings an entry of any earlier version to the current form. */
function migratePlace(entry: unknown): unknown {
  if (typeof entry !== 'object' || entry === null) return entry
  const preset = 'dialect' in entry && entry.dialect === 's3' ? 's3' : 'storage'
  return { ...SINCE, preset, ...entry }
}

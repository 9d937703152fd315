import { z } from 'zod'
import { MAX_REQUEST_ITEMS } from '../../../shared/limits.ts'
import { line, placeId, placeSchema } from '../../services/persistence/schemas.ts'
import { nothing, type ChosenPath, type RequestParsers } from './fields.ts'

/** Parsers of requests about places. */
export function placeParsers(path: ChosenPath) {
  const secrets = { secretAccessKey: line(1024), sessionToken: line(8192) }
  const newPlace = placeSchema.extend({ ...secrets, downloadsFolder: path.exactOptional() })
  return {
    'places:list': nothing,
    'places:add': newPlace,
    'places:duplicate': z.strictObject({ id: placeId, place: newPlace }),
    'places:edit': z.strictObject({ id: placeId, place: newPlace }),
    'places:check': z.strictObject({ id: placeId.nullable(), place: newPlace }),
    'places:reorder': z.strictObject({ ids: z.array(placeId).max(MAX_REQUEST_ITEMS) }),
    'places:profiles': nothing,
    'places:remove': z.strictObject({ id: placeId }),
    'places:export': nothing,
    'places:import': nothing,
  } satisfies Partial<RequestParsers>
}

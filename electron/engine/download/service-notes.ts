// Remembers for a day how a service deviates from the others. This only saves requests, so nothing here throws.

import { z } from 'zod'
import { fitting } from '../../parsing/fitting.ts'
import type { StoreLocation } from '../core/records.ts'
import type { EngineDeps } from '../core/deps.ts'

/** After this long a service counts as one like the others again (milliseconds). */
const REMEMBERED_MS = 24 * 60 * 60 * 1000

/** When each service last showed the behavior, milliseconds since the epoch. */
const times = z.record(z.string(), z.number())
type Times = z.infer<typeof times>

type Deps = Pick<EngineDeps, 'checkpoints' | 'clock'>

/** Services that answer range requests with whole objects: it takes no further requests to find that out again. */
export const RANGES_REFUSED = createServiceNotes('range-refusals')

/** Services whose multipart ETags are not made from the parts: objects are not read twice to find that out again. */
export const PART_ETAGS_MADE_UP = createServiceNotes('made-up-part-etags')

function createServiceNotes(name: string) {
  const save = async ({ checkpoints }: Deps, values: Times): Promise<void> => {
    await checkpoints.setValue(name, JSON.stringify(values)).catch(() => undefined)
  }

  async function recent({ checkpoints, clock }: Deps): Promise<Times> {
    const json = await checkpoints.getValue(name).catch(() => null)
    const nowMs = clock.nowMs()
    const all = Object.entries(parsed(json))
    return Object.fromEntries(all.filter(([, atMs]) => atMs <= nowMs && nowMs - atMs < REMEMBERED_MS))
  }

  return {
    /** Whether the service of `location` showed the behavior within the last day. */
    async has(deps: Deps, location: StoreLocation): Promise<boolean> {
      return serviceOf(location) in (await recent(deps))
    },
    /** Notes that the service shows the behavior now. */
    async note(deps: Deps, location: StoreLocation): Promise<void> {
      await save(deps, { ...(await recent(deps)), [serviceOf(location)]: deps.clock.nowMs() })
    },
    /** Notes that the service does not show the behavior after all. */
    async forget(deps: Deps, location: StoreLocation): Promise<void> {
      const { [serviceOf(location)]: noted, ...others } = await recent(deps)
      if (noted !== undefined) await save(deps, others)
    },
  }
}

function parsed(json: string | null): Times {
  try {
    return fitting(times, JSON.parse(json ?? '{}')) ?? {}
  } catch {
    return {}
  }
}

function serviceOf(location: StoreLocation): string {
  return location.kind === 'link' ? new URL(location.url).origin : `${location.placeId}/${location.bucket}`
}

// Remembers which services answer range requests with whole objects.

import { z } from 'zod'
import type { StoreLocation } from '../core/records.ts'
import type { EngineDeps } from '../core/deps.ts'

const NAME = 'range-refusals'
/** After this long a service is asked for ranges again (milliseconds). */
const REMEMBERED_MS = 24 * 60 * 60 * 1000

/** When each service last answered a range with something else, milliseconds since the epoch. */
const refusals = z.record(z.string(), z.number())

type Deps = Pick<EngineDeps, 'checkpoints' | 'clock'>

/** Whether the service of `location` refused ranges within a day: then they are not tried by several requests again. */
export async function refusesRanges(deps: Deps, location: StoreLocation): Promise<boolean> {
  return serviceOf(location) in (await recent(deps))
}

/** Remembers it. Never throws: it saves requests, no more. */
export async function noteRangesRefused(deps: Deps, location: StoreLocation): Promise<void> {
  await save(deps, { ...(await recent(deps)), [serviceOf(location)]: deps.clock.nowMs() })
}

/** It answers ranges after all. */
export async function noteRangesAnswered(deps: Deps, location: StoreLocation): Promise<void> {
  const { [serviceOf(location)]: refused, ...others } = await recent(deps)
  if (refused !== undefined) await save(deps, others)
}

async function recent({ checkpoints, clock }: Deps): Promise<Readonly<Record<string, number>>> {
  const json = await checkpoints.getValue(NAME).catch(() => null)
  const nowMs = clock.nowMs()
  const all = Object.entries(parsed(json))
  return Object.fromEntries(all.filter(([, atMs]) => atMs <= nowMs && nowMs - atMs < REMEMBERED_MS))
}

function parsed(json: string | null): Readonly<Record<string, number>> {
  try {
    return refusals.safeParse(JSON.parse(json ?? '{}')).data ?? {}
  } catch {
    return {}
  }
}

async function save({ checkpoints }: Deps, values: Readonly<Record<string, number>>): Promise<void> {
  await checkpoints.setValue(NAME, JSON.stringify(values)).catch(() => undefined)
}

function serviceOf(location: StoreLocation): string {
  return location.kind === 'link' ? new URL(location.url).origin : `${location.placeId}/${location.bucket}`
}

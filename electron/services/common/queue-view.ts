// Sort order and collapsed groups of the transfer list, as they are kept.

import { z } from 'zod'
import { SORT_COLUMNS, type QueueView } from '../../../shared/transfer/queue-view.ts'
import { GROUPS } from '../../../shared/transfer/transfer-group.ts'
import type { NamedValues } from './named-values.ts'

const NAME = 'queue-view'

export const queueView: z.ZodType<QueueView> = z.strictObject({
  sort: z.strictObject({ by: z.enum(SORT_COLUMNS), isDescending: z.boolean() }).nullable(),
  collapsed: z.array(z.enum(GROUPS)).max(GROUPS.length),
})

/** How the list of transfers was left, kept over restarts. */
export function createQueueViews(values: NamedValues) {
  return {
    /** Null: as it is at first. */
    get: (): Promise<QueueView | null> => values.read(NAME, queueView),
    set: (view: QueueView): Promise<void> => values.write(NAME, view),
  }
}

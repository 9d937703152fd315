// Persists the transfer list's sort order, collapsed groups, columns and density, the buckets used last, and
// the widths of columns.

import { z } from 'zod'
import {
  COLUMNS,
  ENTRY_WIDTH,
  SORT_COLUMNS,
  USUAL_COLUMNS,
  USUAL_WIDTHS,
  type QueueView,
} from '../../../shared/transfer/queue-view.ts'
import { GROUPS } from '../../../shared/transfer/transfer-group.ts'
import type { NamedValues } from './named-values.ts'

const NAME = 'queue-view'

const width = z.number().min(ENTRY_WIDTH.least).max(ENTRY_WIDTH.most)

export const queueView: z.ZodType<QueueView> = z.strictObject({
  sort: z.strictObject({ by: z.enum(SORT_COLUMNS), isDescending: z.boolean() }).nullable(),
  collapsed: z.array(z.enum(GROUPS)).max(GROUPS.length),
  // Views from before columns could be chosen have none.
  columns: z
    .array(z.enum(COLUMNS))
    .max(COLUMNS.length)
    .default([...USUAL_COLUMNS]),
  isCompact: z.boolean().default(false),
  buckets: z.record(z.string(), z.string()).default({}),
  entryWidths: z.strictObject({ size: width, modified: width }).default({ ...USUAL_WIDTHS }),
})

/** The view of the list of transfers, kept across restarts. */
export function createQueueViews(values: NamedValues) {
  return {
    /** Null: the default view. */
    get: (): Promise<QueueView | null> => values.read(NAME, queueView),
    set: (view: QueueView): Promise<void> => values.write(NAME, view),
  }
}

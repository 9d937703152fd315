// What `get` and `put` print about a folder: its plan, what is left out, and how it ended.

import { assertNever } from '../../shared/assert.ts'
import type { SkipReason, TransferItems, TransferRow } from '../../shared/transfer/transfer.ts'
import { longPathWords, type Engine } from '../engine/index.ts'
import { commandErrorOf } from './command-error.ts'
import { formatBytes } from '../../shared/format/format-bytes.ts'
import type { Output } from './output.ts'

/** Prints the size of a folder once it is counted. Returns whether it did. */
export function sayPlan(output: Output, row: TransferRow): boolean {
  if (row.items?.isCounted !== true) return false
  output.aside(
    { event: 'plan', key: row.key, path: row.localPath, objects: row.items.total, sizeBytes: row.sizeBytes },
    `${countOf(row.items.total)}, ${formatBytes(row.sizeBytes ?? 0)} to ${row.direction === 'upload' ? row.key : row.localPath}`,
  )
  return true
}

/** Names the first 100 things in a folder that are not uploaded. */
export function saySkipped(engine: Engine, output: Output, row: TransferRow): void {
  const { count = 0, named = [] } = engine.details(row.id)?.skipped ?? {}
  for (const { path, reason } of named) {
    output.aside({ event: 'left-out', path, reason }, `${path} is left out: ${skipWords(reason)}`)
  }
  const more = count - named.length
  if (more > 0) output.note(`And ${more.toLocaleString('en')} more are left out.`)
}

function skipWords(reason: SkipReason): string {
  switch (reason) {
    case 'system-file':
      return 'a system file'
    case 'link':
      return 'a link'
    case 'special':
      return 'not a file'
    case 'in-cloud':
      return 'only iCloud has the file'
    case 'unreadable':
      return 'it can’t be read'
    case 'name':
      return 'its name can’t be a key'
    default:
      return assertNever(reason)
  }
}

/** Names the first 100 objects of a folder that were not transferred. */
export function sayFailures(engine: Engine, output: Output, row: TransferRow): void {
  for (const { key, error } of engine.failuresOf(row.id)) {
    const { message, code } = commandErrorOf(error, {
      ...{ name: key, bucket: row.bucket, localPath: row.localPath },
      host: null,
    })
    const event = row.direction === 'upload' ? 'not-uploaded' : 'not-downloaded'
    output.aside({ event, key, code, message, requestId: error.requestId }, `${key}: ${message}`)
  }
}

/** Names the first 100 objects whose files could not get the same name. */
export function sayRenamed(engine: Engine, output: Output, row: TransferRow): void {
  for (const { key, path } of engine.details(row.id)?.renamed ?? []) {
    output.aside({ event: 'renamed', key, path }, `${key} is saved as ${path}`)
  }
}

/** Names the first 100 files whose paths are too long for most Windows programs. */
export function sayLongPaths(engine: Engine, output: Output, row: TransferRow): void {
  if (row.direction === 'upload') return
  const own = row.items === undefined ? [row.localPath] : []
  for (const path of engine.details(row.id)?.longPaths ?? own) {
    const words = longPathWords(path)
    if (words !== null) output.aside({ event: 'long-path', path }, words)
  }
}

function countOf(total: number): string {
  // Not “0 objects”: empty objects may stand for folders, and those are not counted.
  if (total === 0) return 'no files'
  return `${total.toLocaleString('en')} ${total === 1 ? 'object' : 'objects'}`
}

/** `9,998 of 10,000 objects, 12 already there, 3 skipped`; without the first number if it equals the total or is 0. */
export function objects({ done, alreadyThere = 0, skipped = 0, total }: TransferItems): string {
  const all = countOf(total)
  const count = done === total || done === 0 ? all : `${done.toLocaleString('en')} of ${all}`
  const share = (part: number) => (part === total ? 'all' : part.toLocaleString('en'))
  const there = alreadyThere > 0 ? [`${share(alreadyThere)} already there`] : []
  return [count, ...there, ...(skipped > 0 ? [`${share(skipped)} skipped`] : [])].join(', ')
}

/** How many objects were not transferred, and why. */
export function untransferredOf({ alreadyThere = 0, skipped = 0 }: TransferItems) {
  return { alreadyThere, skipped }
}

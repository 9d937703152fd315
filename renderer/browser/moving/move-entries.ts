// Moves lines to other keys of their bucket, some at a time. Can be stopped and continued. Draws nothing.

import {
  MAX_MOVED_KEYS,
  type BulkOutcome,
  type MoveObjectsRequest,
  type MovePageRequest,
} from '../../../shared/ipc/object-requests.ts'
import type { Entry } from '../../state/objects/listing.ts'
import { prefixAbove } from '../../state/objects/location.ts'
import { workInSteps, type Step, type StoppableWork } from '../work/stoppable-work.ts'

export interface Mover {
  readonly move: (
    some: Pick<MoveObjectsRequest, 'keys' | 'from' | 'to' | 'isRetry'>,
    signal: AbortSignal,
  ) => Promise<BulkOutcome>
  readonly movePage: (
    page: Pick<MovePageRequest, 'prefix' | 'to' | 'marker' | 'isRetry'>,
    signal: AbortSignal,
  ) => Promise<BulkOutcome>
}

/** What gets which key. */
export interface MovePlan {
  /** Objects whose keys begin alike; `to` takes the place of that beginning. */
  readonly objects: readonly { readonly keys: readonly string[]; readonly from: string; readonly to: string }[]
  readonly folders: readonly Folder[]
}

interface Folder {
  readonly from: string
  readonly to: string
}

/** Gives a line another name in its folder. Pure. */
export function planRename({ kind, key }: Entry, name: string): MovePlan {
  const to = `${prefixAbove(key)}${name}`
  return kind === 'folder'
    ? { objects: [], folders: [{ from: key, to: `${to}/` }] }
    : { objects: [{ keys: [key], from: key, to }], folders: [] }
}

/** Moves lines to a folder, under the names that they have. Those that are there already stay. Pure. */
export function planMove(entries: readonly Entry[], to: string): MovePlan {
  const moved = entries.filter(({ key }) => prefixAbove(key) !== to)
  const files = moved.filter(({ kind }) => kind === 'object')
  // Results of a search are from several folders.
  const around = [...new Set(files.map(({ key }) => prefixAbove(key)))]
  return {
    objects: around.map((from) => ({
      ...{ from, to },
      keys: files.filter(({ key }) => prefixAbove(key) === from).map(({ key }) => key),
    })),
    folders: moved
      .filter(({ kind }) => kind === 'folder')
      .map(({ key }) => ({ from: key, to: to + key.slice(prefixAbove(key).length) })),
  }
}

export function isEmptyPlan({ objects, folders }: MovePlan): boolean {
  return objects.length + folders.length === 0
}

/** Moves objects, and everything in folders. Can be stopped and continued. */
export function createMoving({ move, movePage }: Mover, { objects, folders: planned }: MovePlan): StoppableWork {
  const groups = objects.map((group) => ({ ...group, keys: [...group.keys] }))
  const folders = [...planned]
  /** Where the move of the first folder continues. */
  let marker: string | null = null
  /** Whether the next request is for what the last one left. */
  let isRetry = false

  async function moveSome(group: (typeof groups)[number], signal: AbortSignal): Promise<Step> {
    const { from, to } = group
    const some = group.keys.slice(0, MAX_MOVED_KEYS)
    const answer = await move({ keys: some, from, to, isRetry }, signal)
    const left = new Set(answer.left)
    group.keys.splice(0, some.length, ...answer.left)
    if (group.keys.length === 0) groups.shift()
    return stepOf(
      answer,
      some.filter((key) => !left.has(key)),
    )
  }

  async function moveNextPage({ from: prefix, to }: Folder, signal: AbortSignal): Promise<Step> {
    const answer = await movePage({ prefix, to, marker, isRetry }, signal)
    // If some of a page is left, the same page is listed again.
    if (answer.left.length > 0) return stepOf(answer, [])
    marker = answer.nextMarker
    return stepOf(answer, marker === null ? folders.splice(0, 1).map(({ from }) => from) : [])
  }

  function stepOf({ done, left, failure }: BulkOutcome, gone: readonly string[]): Step {
    isRetry = left.length > 0
    return { count: done, gone, failure }
  }

  return workInSteps(
    () => groups.length + folders.length === 0,
    (signal) => {
      const [group] = groups
      return group === undefined ? moveNextPage(folders[0] as Folder, signal) : moveSome(group, signal)
    },
  )
}

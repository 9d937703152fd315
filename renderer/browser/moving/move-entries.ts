// Moves lines to other keys of their bucket, some at a time. Can be stopped and continued. Draws nothing.

import {
  MAX_MOVED_KEYS,
  type MovedObjects,
  type MoveObjectsRequest,
  type MovePageRequest,
} from '../../../shared/ipc/object-requests.ts'
import { RequestError } from '../../bridge.ts'
import type { Entry } from '../../state/objects/listing.ts'
import { prefixAbove } from '../../state/objects/location.ts'

export interface Mover {
  readonly move: (
    some: Pick<MoveObjectsRequest, 'keys' | 'from' | 'to' | 'isRetry'>,
    signal: AbortSignal,
  ) => Promise<MovedObjects>
  readonly movePage: (
    page: Pick<MovePageRequest, 'prefix' | 'to' | 'marker' | 'isRetry'>,
    signal: AbortSignal,
  ) => Promise<MovedObjects>
}

/** What gets which key. */
export interface MovePlan {
  /** Objects whose keys begin alike; `to` takes the place of that beginning. */
  readonly objects: readonly { readonly keys: readonly string[]; readonly from: string; readonly to: string }[]
  readonly folders: readonly { readonly from: string; readonly to: string }[]
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

/** A move that can be stopped and continued. */
export interface Moving {
  /**
   * Moves what is left. After each request, calls `tell` with the number of objects moved since the beginning and the
   * lines that have moved completely. Ends early when `signal` is aborted. Throws a refusal as a sentence.
   * @returns whether everything has moved
   */
  run(tell: (moved: number, gone: ReadonlySet<string>) => void, signal: AbortSignal): Promise<boolean>
}

type Step = readonly [MovedObjects, gone: readonly string[]]

/** Moves objects, and everything in folders. */
export function createMoving({ move, movePage }: Mover, { objects, folders: planned }: MovePlan): Moving {
  const groups = objects.map((group) => ({ ...group, keys: [...group.keys] }))
  const folders = [...planned]
  /** Where the move of the first folder continues. */
  let marker: string | null = null
  /** Whether the next request is for what the last one left. */
  let isRetry = false
  let moved = 0

  async function moveSome(group: (typeof groups)[number], signal: AbortSignal): Promise<Step> {
    const { from, to } = group
    const some = group.keys.slice(0, MAX_MOVED_KEYS)
    const answer = await move({ keys: some, from, to, isRetry }, signal)
    const left = new Set(answer.left)
    group.keys.splice(0, some.length, ...answer.left)
    if (group.keys.length === 0) groups.shift()
    return [answer, some.filter((key) => !left.has(key))]
  }

  async function moveNextPage({ from: prefix, to }: MovePlan['folders'][number], signal: AbortSignal): Promise<Step> {
    const answer = await movePage({ prefix, to, marker, isRetry }, signal)
    // If some of a page is left, the same page is listed again.
    if (answer.left.length > 0) return [answer, []]
    marker = answer.nextMarker
    return [answer, marker === null ? folders.splice(0, 1).map(({ from }) => from) : []]
  }

  return {
    async run(tell, signal) {
      for (;;) {
        const [group] = groups
        const [folder] = folders
        if (signal.aborted || (group === undefined && folder === undefined)) break
        const step = group === undefined ? folder && moveNextPage(folder, signal) : moveSome(group, signal)
        const done = await step?.catch((failure: unknown) => {
          if (signal.aborted) return null
          throw failure
        })
        if (done == null) break
        const [answer, gone] = done
        isRetry = answer.left.length > 0
        moved += answer.moved
        tell(moved, new Set(gone))
        if (answer.failure !== null) throw new RequestError({ code: 'failed', message: answer.failure })
      }
      return groups.length + folders.length === 0
    },
  }
}

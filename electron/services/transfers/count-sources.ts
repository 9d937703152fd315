import type { MeasuredSources, MeasureSources } from '../../../shared/ipc/ipc-contract.ts'
import { sumWalk, type SourceFiles, type UploadFolderSums } from '../../engine/index.ts'
import { RequestError } from '../requests/request-error.ts'
import { message } from '../../../shared/language/message.ts'

/** The longest that `measure` takes to answer, milliseconds. */
const ANSWER_EVERY_MS = 100
/** A walk ends when nobody has asked about it for this long, milliseconds. */
const FORGOTTEN_AFTER_MS = 5000

const NOTHING: UploadFolderSums = {
  files: 0,
  sizeBytes: 0,
  emptyFolders: 0,
  skipped: { count: 0, unreadable: 0, named: [] },
}

interface Walk {
  sums: UploadFolderSums
  isDone: boolean
  failure: unknown
  readonly ended: Promise<void>
  forgotten: NodeJS.Timeout
}

/** Counts the files of an upload while a person looks at its sheet. */
export interface SourceSums {
  /** Returns the count so far; call again with the same id until it is done. Throws RequestError. */
  measure(request: MeasureSources): Promise<MeasuredSources>
}

export function createSourceSums(
  openSources: (sourcePaths: readonly string[], prefix: string) => Pick<SourceFiles, 'walk' | 'close'>,
): SourceSums {
  const walks = new Map<string, Walk>()

  function forget(id: string, sources: Pick<SourceFiles, 'close'>): void {
    walks.delete(id)
    void sources.close()
  }

  function begin({ id, paths }: MeasureSources): Walk {
    const sources = openSources(paths, '')
    const walk: Walk = {
      sums: NOTHING,
      isDone: false,
      failure: null,
      ended: count(),
      forgotten: setTimeout(() => forget(id, sources), FORGOTTEN_AFTER_MS).unref(),
    }
    walks.set(id, walk)
    return walk

    async function count(): Promise<void> {
      try {
        for await (const { sums } of sumWalk(sources.walk())) walk.sums = sums
        walk.isDone = true
      } catch (failure) {
        walk.failure = failure
      }
    }
  }

  return {
    async measure(request) {
      const walk = walks.get(request.id) ?? begin(request)
      walk.forgotten.refresh()
      let timer: NodeJS.Timeout | undefined
      const soon = new Promise<void>((resolve) => (timer = setTimeout(resolve, ANSWER_EVERY_MS)))
      await Promise.race([walk.ended, soon])
      clearTimeout(timer)
      if (walk.failure !== null) throw new RequestError(message('services.folder.uncounted'))
      return { ...walk.sums, isDone: walk.isDone }
    },
  }
}

import { useEffect, useState } from 'react'
import { errorOf } from '../../shared/language/worded-error.ts'
import type { UploadOffer } from '../../shared/ipc/upload-offer.ts'
import type { TransferId } from '../../shared/transfer/transfer.ts'
import { listen, request } from '../bridge.ts'
import { run } from '../state/ui/messages.ts'

/** The progress of a comparison, in bytes of the file. */
interface CompareProgress {
  readonly comparedBytes: number
  readonly totalBytes: number
}

/** The comparison of a file with the unfinished uploads of its key. */
export type Comparison =
  | ({ readonly kind: 'comparing' } & CompareProgress)
  | { readonly kind: 'compared'; readonly offer: UploadOffer }
  | { readonly kind: 'failed'; readonly error: Error }

/** Updates the progress. An answer is final: progress sent before it may arrive after it, and is ignored. Pure. */
export function withProgress(current: Comparison, progress: CompareProgress): Comparison {
  return current.kind === 'comparing' ? { kind: 'comparing', ...progress } : current
}

/** Compares while the sheet is open. */
export function useComparison(id: TransferId): Comparison {
  const [comparison, setComparison] = useState<Comparison>({ kind: 'comparing', comparedBytes: 0, totalBytes: 0 })

  useEffect(() => {
    let isClosed = false
    const tell = (next: Comparison) => {
      if (!isClosed) setComparison(next)
    }
    const unlisten = listen('uploads:comparing', ({ id: compared, ...progress }) => {
      if (compared === id) setComparison((current) => withProgress(current, progress))
    })
    request('uploads:compare', { id }).then(
      (offer) => {
        tell({ kind: 'compared', offer })
      },
      (failure: unknown) => {
        tell({ kind: 'failed', error: errorOf(failure, 'uploads.earlier.not-compared') })
      },
    )
    return () => {
      isClosed = true
      unlisten()
      run(request('uploads:stop-comparing', { id }))
    }
  }, [id])

  return comparison
}

import { useEffect, useState } from 'react'
import type { MeasuredSources } from '../../shared/ipc/ipc-contract.ts'
import { errorOf } from '../../shared/language/worded-error.ts'
import { request } from '../bridge.ts'

/** What there is to upload, as far as it is counted. `sums` is null until the first answer. */
export interface CountedSources {
  readonly sums: MeasuredSources | null
  /** Why it can’t be counted. */
  readonly error: Error | null
}

/** Counts files and folders while a sheet shows them. */
export function useSourceSums(paths: readonly string[]): CountedSources {
  const [counted, setCounted] = useState<CountedSources>({ sums: null, error: null })
  useEffect(() => {
    let isOver = false
    const id = crypto.randomUUID()
    async function count(): Promise<void> {
      while (!isOver) {
        const sums = await request('uploads:measure-sources', { id, paths })
        if (isOver) return
        setCounted({ sums, error: null })
        if (sums.isDone) return
      }
    }
    count().catch((failure: unknown) => {
      if (!isOver) setCounted({ sums: null, error: errorOf(failure, 'window.our-fault') })
    })
    return () => {
      isOver = true
    }
  }, [paths])
  return counted
}

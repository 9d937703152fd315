import { useEffect, useState } from 'react'
import { request } from '../bridge.ts'

/** The free bytes on the volume of a folder, requested whenever another folder is chosen; null until known. */
export function useFreeSpace(directory: string): number | null {
  const [known, setKnown] = useState<{ readonly directory: string; readonly freeBytes: number | null } | null>(null)
  useEffect(() => {
    let isWanted = true
    if (directory === '') return undefined
    void request('folders:space', { directory }).then(
      ({ freeBytes }) => {
        if (isWanted) setKnown({ directory, freeBytes })
      },
      () => undefined,
    )
    return () => {
      isWanted = false
    }
  }, [directory])
  return known?.directory === directory ? known.freeBytes : null
}

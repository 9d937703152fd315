import { useEffect, useRef, useState } from 'react'
import type { PlaceId } from '../../shared/place/place.ts'
import { requestUntil } from '../bridge.ts'
import { measureFolder, type FolderSize } from './measure-folder.ts'

/** Counts the picked folders of a place, each once, for as long as they are picked. */
export function useFolderSizes(
  placeId: PlaceId | null,
  folders: ReadonlySet<string>,
  bucket?: string,
): ReadonlyMap<string, FolderSize> {
  const [sizes, setSizes] = useState<ReadonlyMap<string, FolderSize>>(new Map())
  const counting = useRef(new Map<string, AbortController>())

  useEffect(() => {
    const running = counting.current
    for (const [folder, abort] of running) {
      if (folders.has(folder)) continue
      abort.abort()
      running.delete(folder)
    }
    if (placeId === null) return
    for (const prefix of folders) {
      if (running.has(prefix)) continue
      const abort = new AbortController()
      running.set(prefix, abort)
      void measureFolder(
        (marker) =>
          requestUntil(abort.signal, 'objects:measure', {
            ...{ placeId, prefix, marker },
            ...(bucket === undefined ? {} : { bucket }),
          }),
        (size) => setSizes((before) => new Map(before).set(prefix, size)),
        abort.signal,
      )
    }
  }, [placeId, bucket, folders])

  useEffect(() => {
    const running = counting.current
    return () => {
      for (const abort of running.values()) abort.abort()
      running.clear()
    }
  }, [])

  return sizes
}

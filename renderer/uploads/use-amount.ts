import { useEffect, useState } from 'react'
import type { UploadAmount, UploadName } from '../../shared/ipc/unfinished-upload.ts'
import { request } from '../bridge.ts'

/** How many are requested at a time: a whole page of rows comes into view at once. */
const MOST_AT_A_TIME = 4

const waiting: (() => void)[] = []
let asking = 0

/**
 * How much of an upload is on the server; undefined until known. Requested when its row comes into view, and again for
 * each `version` of the list.
 */
export function useAmount({ placeId, bucket, key, uploadId }: UploadName, version: number): UploadAmount | undefined {
  const [amount, setAmount] = useState<UploadAmount>()

  useEffect(() => {
    let isGone = false
    const start = (): void => {
      asking += 1
      const asked = isGone
        ? Promise.resolve(null)
        : request('uploads:measure', { placeId, key, uploadId, ...(bucket === undefined ? {} : { bucket }) })
      void asked
        .catch(() => null)
        .then((told) => {
          asking -= 1
          waiting.shift()?.()
          if (!isGone) setAmount(told)
        })
    }
    if (asking < MOST_AT_A_TIME) start()
    else waiting.push(start)
    return () => {
      isGone = true
    }
  }, [placeId, bucket, key, uploadId, version])

  return amount
}

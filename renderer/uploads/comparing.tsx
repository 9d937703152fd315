import { useEffect, useState } from 'react'
import { joined } from '../../shared/language/joined.ts'
import { t } from '../../shared/language/translate.ts'
import { listen } from '../bridge.ts'
import { formatProgress } from '../words/format.ts'
import { Meter } from '../ui/meter.tsx'

export interface ComparingProps {
  readonly uploadId: string
  /** The key of the upload. */
  readonly name: string
}

/** The progress of comparing a chosen file with an unfinished upload. */
export function Comparing({ uploadId, name }: ComparingProps) {
  const [at, setAt] = useState({ comparedBytes: 0, totalBytes: 0 })
  useEffect(
    () =>
      listen('uploads:comparing', ({ id, ...progress }) => {
        if (id === uploadId) setAt(progress)
      }),
    [uploadId],
  )
  const { comparedBytes, totalBytes } = at
  const words = t('uploads.comparing', { name })
  return (
    <Meter label={words} done={comparedBytes} total={totalBytes}>
      {joined(words, totalBytes > 0 ? formatProgress(comparedBytes, totalBytes) : '')}
    </Meter>
  )
}

import { assertNever } from '../assert.ts'
import type { ProofLack } from './transfer.ts'

/** Why no more than the size was checked, as what follows a colon. Pure. */
export function lackWords(lack: ProofLack): string {
  switch (lack) {
    case 'no-checksum':
      return 'the service gives no checksum of the content'
    case 'parts-untold':
      return 'the service doesn’t say how the file was divided into parts'
    case 'parts-uneven':
      return 'the file was divided into too many parts of different sizes'
    case 'parts-differ':
      return 'the service’s ETag is not made from the MD5 of each part'
    case 'etag-differs':
      return 'the same bytes came twice, and the service’s ETag is not their MD5'
    case 'left-alone':
      return 'what was already there was left as it is'
    default:
      return assertNever(lack)
  }
}

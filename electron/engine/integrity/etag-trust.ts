// Finds out during an upload whether the ETags of its service are MD5s.

import type { Proof, Verification } from '../../../shared/transfer/transfer.ts'
import type { ObjectStore } from '../../stores/port/object-store.ts'
import type { PartRecord } from '../core/records.ts'
import { isSameEtag } from './etag.ts'

/** What the ETags of one upload have turned out to be: MD5s until shown otherwise. */
export interface PartEtags {
  /** The ETags prove nothing: a hash goes along with each request instead. */
  readonly areOpaque: boolean
  /** A hash goes along with each request: ETags prove nothing, or the service accepts nothing without one. */
  readonly needHash: boolean
  /** Learns from bytes that the service has. @returns whether the ETag is their MD5. */
  learn(part: Pick<PartRecord, 'etag' | 'md5'>): boolean
  /** The service accepted bytes along with their hash, but gave another ETag. @returns whether ETags are now opaque. */
  contradict(): boolean
}

/** The proof of an upload, which has only ETags to go by. */
export function proofByEtag(verification: Verification): Proof {
  return verification === 'size-only' ? { verification, lack: 'no-checksum' } : { verification }
}

/** Any answer of the store may show that its ETags are not MD5s, so its capabilities are read each time. */
export function createPartEtags(store: Pick<ObjectStore, 'capabilities'>): PartEtags {
  let hasMatched = false
  let hasDiffered = false
  return {
    get areOpaque() {
      return !store.capabilities.etagIsMd5 || (hasDiffered && !hasMatched)
    },
    get needHash() {
      return this.areOpaque || store.capabilities.wantsContentMd5 === true
    },
    learn({ etag, md5 }) {
      const isMd5 = isSameEtag(etag, md5)
      hasMatched ||= isMd5
      return isMd5
    },
    contradict() {
      hasDiffered = true
      return this.areOpaque
    },
  }
}

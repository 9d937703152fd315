/** Share of a file's bytes that may go up twice, because a copy is sooner although the first may still move. */
const COPIED_SHARE = 0.05

/** A body that may still move, and that a copy would overtake. Bytes. */
export interface Overtaken {
  readonly sizeBytes: number
  /** What its connection has taken of it. */
  readonly handedBytes: number
  readonly fileBytes: number
  /** One part of several, as opposed to an object that goes whole. */
  readonly isPart: boolean
  /** ETags of this upload tell nothing about bytes. */
  readonly isOpaque: boolean
  /** Its copy holds up no other body. */
  readonly isFree: boolean
}

/** How many bytes of a file may have gone up twice once a body is sent again; null if this one must not be. Pure. */
export function mostCopiedBytes({
  sizeBytes,
  handedBytes,
  fileBytes,
  isPart,
  isOpaque,
  isFree,
}: Overtaken): number | null {
  const isHanded = handedBytes === sizeBytes
  // Buffers that have all of it may deliver it after its copy. The part would have another ETag than the one noted, so
  // it would have to be sent once more. That is unlikely where the line has long been idle but for this part.
  if (isHanded && isOpaque && !isFree) return null
  // With few parts each one is more than that share: a single one may still go again. What an object that goes whole
  // has become is not known once buffers have all of it.
  return Math.max(fileBytes * COPIED_SHARE, isPart || !isHanded ? sizeBytes : 0)
}

import { MIB } from '../../../../../shared/limits.ts'
import type { BodyToSend } from '../../../core/upload-line.ts'
import type { SentBody } from './sent-body.ts'

/** Bodies up to this size do not wait for larger ones (bytes). */
export const SMALL_BODY_BYTES = 2 * MIB

/** A body on its way. */
export interface OnItsWay {
  readonly body: SentBody
  readonly asked: BodyToSend
  /** Its connection was given bytes that it has not taken yet. */
  readonly isGiven: boolean
  /** It stands still, and others don't wait for it. */
  readonly isStuck: boolean
}

export function isSmall({ sizeBytes }: BodyToSend): boolean {
  return sizeBytes <= SMALL_BODY_BYTES
}

/** A bandwidth limit holds it back. */
export function isPaced({ limitBytesPerSecond }: BodyToSend): boolean {
  return limitBytesPerSecond() !== null
}

/** Its connection has taken all that it was given and waits for more. Pure. */
export function isWaiting({ body, isGiven }: OnItsWay): boolean {
  return !body.isHanded && !isGiven
}

/** It has long been waiting for its file or for a connection to be made. Pure. */
export function isStarved(member: OnItsWay): boolean {
  return member.isStuck && isWaiting(member)
}

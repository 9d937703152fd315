import { assertNever } from '../../../shared/assert.ts'
import type { ObjectDispute, TransferErrorCode } from '../../../shared/transfer/transfer-error.ts'
import type { Verification } from '../../../shared/transfer/transfer.ts'
import type { ObjectHead, StoreCapabilities } from '../../stores/port/object-store.ts'
import type { CompletionIntent, SeenVersion } from '../core/records.ts'
import { isSameEtag } from '../integrity/etag.ts'

/** Name of the metadata entry that says which transfer made an object. */
export const TOKEN_NAME = 'sluice-transfer'

/** What a completion should result in. Null where unknown, as when a person completes parts that others sent. */
export interface CompletionGoal extends Omit<CompletionIntent, 'sizeBytes'> {
  readonly sizeBytes: number | null
  /** No object at the key may be replaced, whatever was there when the intent was recorded. */
  readonly ifAbsent?: boolean
}

/** What reading the key back shows. `hidden`: the service doesn't let us look. */
export type Found = ObjectHead | 'absent' | 'hidden'
/** The same, reduced to what a person is told of an object. */
export type SeenObject = Pick<ObjectHead, 'sizeBytes' | 'etag' | 'lastModified'> | 'absent' | 'hidden'

/**
 * What the object that was found proves. `ours`: it is what we completed. `marked`: its token says that it is ours.
 * `same-content`: its ETag fits, but it was there before. `plausible`: everything fits, but the ETag can't be compared.
 * `doubtful`: nor does everything fit. `unchanged`: absent, or what was there before. `other`: someone else's.
 */
export type Evidence = 'ours' | 'marked' | 'same-content' | 'plausible' | 'doubtful' | 'unchanged' | 'other' | 'hidden'

/** Whether the multipart upload still exists; `unknown` if the service doesn't tell. A PutObject is always open. */
export type UploadPresence = 'open' | 'gone' | 'unknown'

/**
 * What to do about an unknown outcome. `read-back`: look again later, because a completion may still be under way.
 * After a failure with `outcomeKnown` the service can't complete the upload any more.
 */
export type NextStep =
  | { readonly kind: 'done'; readonly verification: Verification }
  | { readonly kind: 'send' }
  | { readonly kind: 'read-back' }
  | {
      readonly kind: 'fail'
      readonly code: TransferErrorCode
      readonly detail: string
      readonly outcomeKnown: boolean
    }

/** What a service's ETags are worth. */
export type EtagFacts = Pick<StoreCapabilities, 'etagIsMd5' | 'multipartEtagIsMd5'>

/**
 * Compares an object's ETag with the expected one: `agrees` proves the object, `differs` disproves it, `silent` does
 * neither. Pure.
 */
export function compareEtag(
  etag: string | null,
  goal: CompletionGoal,
  facts: EtagFacts,
): 'agrees' | 'differs' | 'silent' {
  if (!facts.etagIsMd5 || goal.expectedEtag === null || etag === null) return 'silent'
  if (isSameEtag(etag, goal.expectedEtag)) return 'agrees'
  return goal.parts.length > 0 && facts.multipartEtagIsMd5 === false ? 'silent' : 'differs'
}

/** Weighs what was found at the key. Existence alone proves nothing. Pure. */
export function weigh(found: Found, goal: CompletionGoal, facts: EtagFacts): Evidence {
  if (found === 'hidden') return 'hidden'
  if (found === 'absent') return 'unchanged'
  const { baseline } = goal
  if (goal.ifAbsent === true && baseline !== null && hasSameContent(found, baseline)) return 'other'
  const verdict = compareEtag(found.etag, goal, facts)
  if (verdict === 'agrees' && !isOtherSize(found, goal)) {
    return baseline !== null && isUnchanged(found, baseline) ? 'same-content' : 'ours'
  }
  const mark = found.metadata?.[TOKEN_NAME]
  const isMarked = goal.token !== undefined && mark === goal.token
  if (isMarked && verdict === 'silent' && !isOtherSize(found, goal)) return 'marked'
  if (baseline !== null && hasSameContent(found, baseline)) return 'unchanged'
  if (verdict !== 'silent' || isOtherSize(found, goal)) return 'other'
  if (goal.token === undefined || found.metadata === undefined)
    return isPlausible(found, goal) ? 'plausible' : 'doubtful'
  // The service shows metadata, so our object would show its token.
  return mark === undefined ? 'doubtful' : 'other'
}

const LIKELY: NextStep = { kind: 'done', verification: 'evidence' }
const DOUBTFUL: NextStep = {
  kind: 'fail',
  code: 'outcome-unknown',
  detail: 'It is unclear whether the object at the key came from this upload',
  outcomeKnown: false,
}

const CONFLICT: NextStep & { readonly kind: 'fail' } = {
  kind: 'fail',
  code: 'conflict-on-server',
  detail: 'The object at the key is neither ours nor the one that was there before',
  outcomeKnown: false,
}

/**
 * Decides about an unknown outcome. `settled`: the object was read back long enough after the upload was gone. Pure.
 */
export function decide(evidence: Evidence, presence: UploadPresence, settled: boolean, goal: CompletionGoal): NextStep {
  if (evidence === 'ours') return { kind: 'done', verification: etagVerification(goal) }
  if (evidence === 'marked') return { kind: 'done', verification: 'evidence' }
  const isPut = goal.parts.length === 0
  // As long as our upload exists, the service may still replace the other object with ours.
  if (evidence === 'other') {
    // A service may hide an upload while it completes it: our object may still come.
    if (presence === 'gone' && !isPut && !settled) return { kind: 'read-back' }
    return { ...CONFLICT, outcomeKnown: isPut || presence === 'gone' }
  }
  if (presence === 'gone') return decideGone(evidence, settled)
  // While our multipart upload is open, an object that may be ours is someone else's. A PutObject is repeated.
  const mayBeOurs = evidence === 'plausible' || evidence === 'doubtful'
  if (mayBeOurs && presence === 'open' && !isPut) return CONFLICT
  // Sending again might replace another client's object.
  if (mayBeOurs && goal.ifAbsent === true) return evidence === 'plausible' ? LIKELY : DOUBTFUL
  return { kind: 'send' }
}

function decideGone(evidence: Exclude<Evidence, 'ours' | 'marked' | 'other'>, settled: boolean): NextStep {
  if (evidence === 'plausible') return LIKELY
  if (!settled) return { kind: 'read-back' }
  if (evidence === 'same-content') return LIKELY
  const fail = { kind: 'fail', code: 'outcome-unknown', outcomeKnown: false } as const
  switch (evidence) {
    case 'hidden':
      return { ...fail, detail: 'The upload is gone, and the service doesn’t let us check whether it was completed' }
    case 'doubtful':
      return { ...fail, detail: 'The upload is gone, and it is unclear whether the object at the key came from it' }
    case 'unchanged': {
      const detail = 'The upload is gone, and the object was not created'
      return { kind: 'fail', code: 'upload-lost', detail, outcomeKnown: true }
    }
    default:
      return assertNever(evidence)
  }
}

/** What a matching ETag proves: an object made of parts, or one sent in a single request. */
export function etagVerification(goal: CompletionGoal): Verification {
  return goal.parts.length > 0 ? 'etag-multipart' : 'etag-md5'
}

/** The object that is there and the expected one, for a person to decide between. */
export function disputeOf(
  found: SeenObject,
  { sizeBytes, expectedEtag }: Pick<CompletionGoal, 'sizeBytes' | 'expectedEtag'>,
): ObjectDispute {
  const there =
    typeof found === 'string'
      ? null
      : { sizeBytes: found.sizeBytes, etag: found.etag, lastModified: found.lastModified }
  return { found: there, expected: { sizeBytes, etag: expectedEtag } }
}

/** True only when both sizes are known and differ. */
export function isOtherSize(found: ObjectHead, goal: CompletionGoal): boolean {
  return found.sizeBytes !== null && goal.sizeBytes !== null && found.sizeBytes !== goal.sizeBytes
}

/** Whether it is the very same version: rewriting an object with the same content changes Last-Modified. */
function isUnchanged(found: ObjectHead, baseline: SeenVersion): boolean {
  return hasSameContent(found, baseline) && found.lastModified === baseline.lastModified
}

function hasSameContent(found: ObjectHead, baseline: SeenVersion): boolean {
  const areSizesTold = found.sizeBytes !== null && baseline.sizeBytes !== null
  if (areSizesTold && found.sizeBytes !== baseline.sizeBytes) return false
  if (found.etag === null || baseline.etag === null) return found.lastModified === baseline.lastModified
  return isSameEtag(found.etag, baseline.etag)
}

/** Whether size, number of parts and time all fit. HTTP dates have whole seconds. */
function isPlausible(found: ObjectHead, goal: CompletionGoal): boolean {
  if (found.etag === null || found.lastModified === null) return false
  const suffix = goal.parts.length > 0 ? `-${String(goal.parts.length)}` : ''
  const isLaterThanIntent = Date.parse(found.lastModified) >= Math.floor(goal.serverTimeMs / 1000) * 1000
  const isRightSize = goal.sizeBytes === null || found.sizeBytes === goal.sizeBytes
  return found.etag.endsWith(suffix) && isRightSize && isLaterThanIntent
}

/** What is remembered of the object that was there before. */
export function baselineOf(found: Found): SeenVersion | null {
  if (typeof found === 'string') return null
  return { sizeBytes: found.sizeBytes, etag: found.etag, lastModified: found.lastModified }
}

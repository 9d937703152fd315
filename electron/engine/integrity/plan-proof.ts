import type { ObjectDigests, ObjectStore } from '../../stores/port/object-store.ts'
import { linkSignal } from '../async/linked-signal.ts'
import type { EngineDeps } from '../core/deps.ts'
import type { ObjectIdentity } from '../core/records.ts'
import { createRetryPolicy, PROGRESS_BYTES, withRetry } from '../retry/create-retry-policy.ts'
import { lookIfPossible } from '../retry/look-if-possible.ts'
import { findPartSizes, type PartSizes } from './part-sizes.ts'
import { partCountOf, planOf, type ProofFacts, type ProofPlan } from './proof-goals.ts'

/** All questions for one proof take no longer than the first together, and each in vain no longer than the second. */
const MOST_MS = 60_000
const MOST_IN_VAIN_MS = 20_000

/** Who asks, and which store. */
export interface ProofContext {
  readonly store: ObjectStore
  readonly deps: Pick<EngineDeps, 'clock' | 'random' | 'hasher'>
  readonly signal: AbortSignal
}

/** The object whose bytes are to be proven, and what came with an answer about it. */
export interface ProvenObject {
  readonly key: string
  readonly identity: ObjectIdentity
  readonly digests?: ObjectDigests | undefined
  /** As in ProofFacts. */
  readonly isBorrowed?: boolean
}

/** Asks for something a few times; null if it can't be had. */
type Look = <Value>(request: (signal: AbortSignal) => Promise<Value>) => Promise<Value | null>

/**
 * Finds out what would prove an object's content. If nothing known is certain, the service is asked for its checksums
 * and the sizes of its parts; the proof can do without the answers, so a failed question fails nothing. Throws
 * `signal.reason` when aborted.
 */
export async function planProof(context: ProofContext, object: ProvenObject): Promise<ProofPlan> {
  const { store } = context
  const { identity, digests, isBorrowed = false } = object
  const known: ProofFacts = {
    identity,
    capabilities: store.capabilities,
    isBorrowed,
    ...(digests === undefined ? {} : { digests }),
  }
  const plan = planOf(known)
  if (plan.goals.some(({ isCertain }) => isCertain) || !canBeAsked(store, object)) return plan
  return await lookQuietly(context, async (look) => {
    const told = (await askChecksums(store, object, look)) ?? digests
    const facts = told === undefined ? known : { ...known, digests: told }
    const isCertain = planOf(facts).goals.some((goal) => goal.isCertain)
    // An MD5 of every part says more than a CRC.
    if (isCertain && !known.capabilities.etagIsMd5) return planOf(facts)
    const partSizes = await askPartSizes(store, object, told, look)
    return planOf(partSizes === null ? facts : { ...facts, partSizes })
  })
}

/** Whether something that may prove the object's content is known, or can be asked for. */
export function mayBeProven(store: ObjectStore, object: ProvenObject): boolean {
  const { capabilities } = store
  return planOf({ identity: object.identity, capabilities }).goals.length > 0 || canBeAsked(store, object)
}

function canBeAsked(store: ObjectStore, { identity, digests }: ProvenObject): boolean {
  const tellsParts = store.headPart !== undefined && partCountOf(identity, digests) !== null
  return tellsParts || store.capabilities.givesChecksums === true
}

/** Digests of this version, or null. */
async function askChecksums(
  store: ObjectStore,
  { key, identity }: ProvenObject,
  look: Look,
): Promise<ObjectDigests | null> {
  if (store.capabilities.givesChecksums !== true) return null
  const head = await look((signal) => store.headObject({ key, signal }))
  return head?.etag === identity.etag ? (head.digests ?? null) : null
}

async function askPartSizes(
  store: ObjectStore,
  { key, identity }: ProvenObject,
  digests: ObjectDigests | undefined,
  look: Look,
): Promise<PartSizes | null> {
  const count = partCountOf(identity, digests)
  if (count === null || store.headPart === undefined) return null
  return await findPartSizes(identity.sizeBytes, count, {
    async sizeOf(partNumber) {
      const part = await look(async (signal) => store.headPart?.({ key, partNumber, signal }))
      return part?.etag === identity.etag ? part.sizeBytes : null
    },
    listed: () => listSizes(store, key, identity, look),
  })
}

async function listSizes(
  store: ObjectStore,
  key: string,
  { etag }: ObjectIdentity,
  look: Look,
): Promise<readonly number[] | null> {
  if (store.capabilities.listsObjectParts !== true) return null
  const sizes: number[] = []
  for (let marker: number | null = 0; marker !== null;) {
    const partNumberMarker: number = marker
    const page = await look(async (signal) => store.listObjectParts?.({ key, partNumberMarker, signal }))
    if (page == null || page.etag !== etag) return null
    sizes.push(...page.sizes)
    marker = page.nextPartNumberMarker
  }
  return sizes
}

/** Lets `work` ask for a minute at most. The row shows no waits: its bytes are still coming, or have come. */
async function lookQuietly<Value>(
  { deps, signal }: ProofContext,
  work: (look: Look) => Promise<Value>,
): Promise<Value> {
  const own = linkSignal(signal)
  const retryPolicy = createRetryPolicy({
    deps,
    signal: own.signal,
    giveUpAfterMs: MOST_IN_VAIN_MS,
    report: { waiting: () => undefined },
  })
  const timeUp = deps.clock.sleep(MOST_MS, own.signal).then(
    () => own.abort(new Error('The requests took too long')),
    () => undefined,
  )
  try {
    return await work(async (request) => {
      try {
        const response = await lookIfPossible(retryPolicy, (fewTries) => withRetry(fewTries, () => request(own.signal)))
        retryPolicy.progressed(PROGRESS_BYTES)
        return response
      } catch {
        signal.throwIfAborted()
        return null
      }
    })
  } finally {
    own.abort(new Error('No more requests are needed'))
    own.release()
    await timeUp
  }
}

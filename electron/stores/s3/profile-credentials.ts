import { inTime } from '../../async/in-time.ts'
import type { CredentialSource, Credentials } from '../port/store-connection.ts'
import { STORE_ERROR, StoreError } from '../port/store-error.ts'

/** Credentials are replaced this long before they expire, milliseconds. */
const EARLY_MS = 5 * 60 * 1000
/** A program may ask a person; one that takes longer, or a sign-in over a dead connection, is begun anew (milliseconds). */
const READ_TIMEOUT_MS = 120_000

interface Held {
  readonly credentials: Credentials
  /** Milliseconds since the epoch. */
  readonly untilMs: number
}

/**
 * The credentials of a profile of `~/.aws`: keys, assumed roles, processes and single sign-on. They are read when first
 * asked for and again before they expire. Throws a StoreError InvalidAccessKeyId with what is wrong with the profile,
 * or KeysAwaited where reading it takes too long.
 */
export function createProfileCredentials(
  profile: string,
  read: (profile: string) => Promise<Held> = readProfile,
): CredentialSource {
  let held: Held | null = null
  let reading: Promise<Held> | null = null

  function begin(): Promise<Held> {
    // What comes too late for those who waited is good for the next.
    const found = read(profile).then((keys) => (held = keys))
    const limited = inTime(found, READ_TIMEOUT_MS, () => keysAwaited(`The profile ${profile} has not given its keys`))
    return limited.finally(() => (reading = null))
  }

  return async ({ isRefused }) => {
    if (isRefused) held = null
    if (held !== null && held.untilMs - EARLY_MS > Date.now()) return held.credentials
    try {
      return (await (reading ??= begin())).credentials
    } catch (cause) {
      throw cause instanceof StoreError ? cause : refusal(profile, cause)
    }
  }
}

async function readProfile(profile: string): Promise<Held> {
  // Large, and few connections need it.
  const { fromNodeProviderChain } = await import('@aws-sdk/credential-providers')
  const { accessKeyId, secretAccessKey, sessionToken, expiration } = await fromNodeProviderChain({ profile })()
  return {
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) },
    untilMs: expiration?.getTime() ?? Number.POSITIVE_INFINITY,
  }
}

/** Nothing came of asking for keys yet; it may when they are asked for again. */
export function keysAwaited(message: string): StoreError {
  return new StoreError(STORE_ERROR.keysAwaited, message, { maybeProcessed: false })
}

function refusal(profile: string, cause: unknown): StoreError {
  const words = cause instanceof Error ? cause.message : String(cause)
  return new StoreError('InvalidAccessKeyId', `The profile ${profile} gave no keys: ${words}`, {
    maybeProcessed: false,
    cause,
  })
}

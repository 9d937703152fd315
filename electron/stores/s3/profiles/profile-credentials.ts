import { inTime } from '../../../async/in-time.ts'
import type { CredentialSource, Credentials } from '../../port/store-connection.ts'
import { STORE_ERROR, StoreError } from '../../port/store-error.ts'

/** How long before they expire credentials are replaced, milliseconds. */
const EARLY_MS = 5 * 60 * 1000
/** A program may ask a person; past this (milliseconds), it or a sign-in over a dead connection is started anew. */
const READ_TIMEOUT_MS = 120_000

interface Held {
  readonly credentials: Credentials
  /** Milliseconds since the epoch. */
  readonly untilMs: number
}

/**
 * The credentials of a profile of `~/.aws`: keys, assumed roles, processes and single sign-on. They are read on first
 * use and again before they expire. Throws a StoreError InvalidAccessKeyId that says what is wrong with the profile, or
 * KeysAwaited when reading it takes too long.
 */
export function createProfileCredentials(
  profile: string,
  read: (profile: string) => Promise<Held> = readProfile,
): CredentialSource {
  let held: Held | null = null
  let reading: Promise<Held> | null = null

  function begin(): Promise<Held> {
    // A result that comes too late for those who waited serves the next caller.
    const found = read(profile).then((keys) => (held = keys))
    const limited = inTime(found, READ_TIMEOUT_MS, () => keysAwaited(`The profile ${profile} supplied no keys in time`))
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

/**
 * Asks the profile alone. The library's usual chain goes on to the role of the machine when a profile is misspelled or
 * its sign-in has expired: those are the keys of somebody else.
 */
async function readProfile(profile: string): Promise<Held> {
  // Imported on use, because it is large and few connections need it.
  const { fromIni } = await import('@aws-sdk/credential-providers')
  // The files may change while the app runs.
  const { accessKeyId, secretAccessKey, sessionToken, expiration } = await fromIni({ profile, ignoreCache: true })()
  return {
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) },
    untilMs: expiration?.getTime() ?? Number.POSITIVE_INFINITY,
  }
}

/** Asking for keys has yielded nothing yet; asking again may. */
export function keysAwaited(message: string): StoreError {
  return new StoreError(STORE_ERROR.keysAwaited, message, { maybeProcessed: false })
}

function refusal(profile: string, cause: unknown): StoreError {
  const words = cause instanceof Error ? cause.message : String(cause)
  return new StoreError('InvalidAccessKeyId', `The profile ${profile} supplied no keys: ${words}`, {
    maybeProcessed: false,
    cause,
  })
}

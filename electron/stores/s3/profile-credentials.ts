import type { CredentialSource, Credentials } from '../port/store-connection.ts'
import { StoreError } from '../port/store-error.ts'

/** Credentials are replaced this long before they expire, milliseconds. */
const EARLY_MS = 5 * 60 * 1000

interface Held {
  readonly credentials: Credentials
  /** Milliseconds since the epoch. */
  readonly untilMs: number
}

/**
 * The credentials of a profile of `~/.aws`: keys, assumed roles, processes and single sign-on. They are read when first
 * asked for and again before they expire. Throws a StoreError InvalidAccessKeyId with what is wrong with the profile.
 */
export function createProfileCredentials(profile: string): CredentialSource {
  let held: Held | null = null
  let reading: Promise<Held> | null = null
  return async ({ isRefused }) => {
    if (isRefused) held = null
    if (held !== null && held.untilMs - EARLY_MS > Date.now()) return held.credentials
    reading ??= read(profile).finally(() => (reading = null))
    try {
      held = await reading
    } catch (cause) {
      throw refusal(profile, cause)
    }
    return held.credentials
  }
}

async function read(profile: string): Promise<Held> {
  // Large, and few connections need it.
  const { fromNodeProviderChain } = await import('@aws-sdk/credential-providers')
  const { accessKeyId, secretAccessKey, sessionToken, expiration } = await fromNodeProviderChain({ profile })()
  return {
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) },
    untilMs: expiration?.getTime() ?? Number.POSITIVE_INFINITY,
  }
}

function refusal(profile: string, cause: unknown): StoreError {
  const words = cause instanceof Error ? cause.message : String(cause)
  return new StoreError('InvalidAccessKeyId', `The profile ${profile} gave no keys: ${words}`, {
    maybeProcessed: false,
    cause,
  })
}

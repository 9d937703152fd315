// Makes the connection of a command from its options and the environment. It stays open while the command runs.

import { createHash } from 'node:crypto'
import { SILENCE_TOLD_MS } from '../../shared/limits.ts'
import { parseLink } from '../../shared/place/links.ts'
import type { ListedBucket, StoreDialect } from '../../shared/place/place.ts'
import { unlessAborted } from '../async/unless-aborted.ts'
import type { StoreLocation } from '../engine/index.ts'
import {
  awaitSign,
  createProfileCredentials,
  createStore,
  createUrlStore,
  listBuckets,
  readProfiles,
  splitSignIn,
  type CredentialSource,
  type LinkSignIn,
  type StoreConnection,
} from '../stores/index.ts'
import type { Network } from '../stores/network/network.ts'
import type { ObjectStore } from '../stores/port/object-store.ts'
import type { ConnectionOptions, Environment } from './connection-options.ts'
import { environmentNetwork } from './network.ts'
import { createGiveUpAfter } from './give-up-after.ts'
import type { Output } from './output.ts'
import { UsageError } from './usage-error.ts'

/** What an operand such as a key or a link refers to. */
export interface ObjectAddress {
  readonly location: StoreLocation
  readonly key: string
}

/** Opens the stores of a command, each when first asked for. */
export interface CommandConnection {
  readonly dialect: StoreDialect
  /** No keys were given. */
  readonly isAnonymous: boolean
  /**
   * Reads an operand: an http(s) link, `s3://bucket/key`, `sluice://bucket/key`, or a key, taken literally. Throws
   * UsageError, also when the options don't tell how to reach the service of a key.
   */
  address(operand: string): ObjectAddress
  open(location: StoreLocation): ObjectStore
  /** How to list the buckets that the keys may see. Throws UsageError as `address` does. */
  bucketLister(): (signal: AbortSignal) => Promise<readonly ListedBucket[]>
  /** The dialect that the service shows to speak, if that is not the chosen one; null if it is, or if nothing tells. */
  otherDialect(signal: AbortSignal): Promise<StoreDialect | null>
  /** How long to keep trying after a failed request without any progress, milliseconds. */
  readonly giveUpAfter: (failure: unknown) => number
  /** Stops using connections that may be dead. */
  dropConnections(): void
  close(): Promise<void>
}

/**
 * Opens the connection of a command. Throws UsageError when its profile gives no keys, or the environment names a proxy
 * or certificates that can't be used; throws `signal.reason` when aborted.
 */
export async function openCommandConnection(
  given: ConnectionOptions,
  giveUpAfterMs: number | null,
  environment: Environment,
  { unanswered, note }: Pick<Output, 'unanswered' | 'note'>,
  signal: AbortSignal,
): Promise<CommandConnection> {
  const options = { ...given, endpoint: given.endpoint ?? (await usualEndpoint(given)) }
  let hasConnected = false
  const connected = (): void => void (hasConnected = true)
  const network = { ...(await environmentNetwork(environment)), connected, unanswered }
  const giveUpAfter = createGiveUpAfter(giveUpAfterMs, () => hasConnected)
  if (options.profile === null) return createCommandConnection(options, network, giveUpAfter)
  const credentialSource = createProfileCredentials(options.profile)
  const tell = (): void => note(`The profile ${options.profile} has not given its keys yet. Waiting…`)
  const silence = setTimeout(tell, SILENCE_TOLD_MS)
  try {
    await unlessAborted(credentialSource({ isRefused: false }), signal)
  } catch (failure) {
    signal.throwIfAborted()
    throw new UsageError(failure instanceof Error ? failure.message : String(failure))
  } finally {
    clearTimeout(silence)
  }
  return createCommandConnection(options, network, giveUpAfter, credentialSource)
}

/** Where the service is if nobody said so: where the profile's keys are for. Null: its dialect has no usual one. */
async function usualEndpoint({ dialect, profile, region }: ConnectionOptions): Promise<string | null> {
  if (dialect !== 's3') return null
  const profiles = profile === null ? [] : await readProfiles()
  const endpoint = profiles.find(({ name }) => name === profile)?.endpoint ?? ''
  if (endpoint !== '') return endpoint
  return region === '' ? 'https://s3.amazonaws.com' : `https://s3.${region}.amazonaws.com`
}

function createCommandConnection(
  options: ConnectionOptions,
  network: Network,
  giveUpAfter: CommandConnection['giveUpAfter'],
  credentialSource?: CredentialSource,
): CommandConnection {
  const stores = new Map<string, ObjectStore>()
  /** The sign-ins of links. Each command is given its own, and none is ever written down. */
  const signIns = new Map<string, LinkSignIn | null>()
  const to = (bucket: string): StoreConnection => ({
    ...storeConnection({ ...options, bucket }),
    network,
    ...(credentialSource === undefined ? {} : { credentialSource }),
  })
  return {
    dialect: options.dialect,
    isAnonymous: options.accessKeyId === null && options.profile === null,
    giveUpAfter,
    address(operand) {
      if (/^https?:\/\//i.test(operand)) {
        if (!URL.canParse(operand)) throw new UsageError(`${operand} is not a link.`)
        const { url, signIn } = splitSignIn(operand)
        signIns.set(url, signIn)
        return { location: { kind: 'link', url }, key: '' }
      }
      const link = parseLink(operand)
      if (link?.kind === 'refused') throw new UsageError(link.reason)
      const scheme = link === null ? /^([a-z][a-z0-9+.-]*):\/\//i.exec(operand)?.[1] : undefined
      if (scheme !== undefined) {
        throw new UsageError(
          `${scheme}:// is not known here: give an address that begins with http, https, s3 or sluice.`,
        )
      }
      const bucket = link?.kind === 'object' ? link.bucket : options.bucket
      if (!bucket) throw new UsageError('Which bucket? Give --bucket or SLUICE_BUCKET.')
      const key = link?.kind === 'object' ? link.key : operand
      // The engine opens stores too, and would take a UsageError for a fault of its own.
      storeConnection({ ...options, bucket })
      return { location: { kind: 'place', placeId: placeIdOf(options), bucket }, key }
    },
    bucketLister() {
      const service = to('')
      return async (signal) => listBuckets(service, signal)
    },
    async otherDialect(signal) {
      const { endpoint, dialect } = options
      if (!endpoint) return null
      const sign = await awaitSign(new URL(endpoint).origin, network, signal).catch(() => null)
      return sign === null || sign.speaks === dialect ? null : sign.speaks
    },
    open(location) {
      const name = location.kind === 'link' ? location.url : location.bucket
      const store =
        stores.get(name) ??
        (location.kind === 'link'
          ? createUrlStore(location.url, network, signIns.get(location.url))
          : createStore(to(location.bucket)))
      stores.set(name, store)
      return store
    },
    dropConnections() {
      for (const store of stores.values()) store.dropConnections()
    },
    async close() {
      await Promise.all([...stores.values()].map((store) => store.close()))
    },
  }
}

/** How the options reach a bucket. Throws UsageError when they don't say enough for that. Pure. */
function storeConnection(options: ConnectionOptions): StoreConnection {
  const { endpoint, bucket, dialect, accessKeyId, secretAccessKey, sessionToken, profile } = options
  if (!endpoint) throw new UsageError('Which service? Give --endpoint or SLUICE_ENDPOINT.')
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol)) {
    throw new UsageError(`--endpoint “${endpoint}” is not an http or https address.`)
  }
  if ((accessKeyId === null) !== (secretAccessKey === null)) {
    throw new UsageError('Give both --access-key and --secret-key-file, or neither.')
  }
  if (profile !== null && dialect !== 's3') throw new UsageError('--profile needs --dialect s3.')
  const hasKeys = accessKeyId !== null || profile !== null
  const signature = options.signature ?? (hasKeys ? 'hmac-sha1' : 'none')
  if (signature !== 'none' && !hasKeys) throw new UsageError('A signature needs --access-key and --secret-key-file.')
  return {
    endpoint,
    bucket: bucket ?? '',
    dialect,
    pathStyle: options.pathStyle ?? (isPathStyleHost(new URL(endpoint).hostname) || isDottedBucket(bucket, endpoint)),
    scheme: options.scheme,
    signature,
    region: options.region,
    credentials:
      accessKeyId === null || secretAccessKey === null
        ? null
        : { accessKeyId, secretAccessKey, ...(sessionToken === null ? {} : { sessionToken }) },
  }
}

/** Reads an operand that must not be a link; `refusal` tells the user what it must be. Throws UsageError. */
export function addressInPlace(
  connection: Pick<CommandConnection, 'address'>,
  operand: string,
  refusal: string,
): ObjectAddress {
  const address = connection.address(operand)
  if (address.location.kind === 'link') throw new UsageError(refusal)
  return address
}

/** The host of a link; null when the operand isn't a link. Pure. */
export function hostOfLink(operand: string): string | null {
  return /^https?:\/\//i.test(operand) && URL.canParse(operand) ? new URL(operand).host : null
}

/** A host that is an IP address or has no dot can't carry the bucket as its first label (docs/dialect.md, Requests). */
export function isPathStyleHost(hostname: string): boolean {
  return !hostname.includes('.') || hostname.startsWith('[') || /^\d+(\.\d+){3}$/.test(hostname)
}

/** Whether a dot in the bucket's name rules out putting it in front of the host: `*.host` doesn't match `a.b.host`. */
function isDottedBucket(bucket: string | null, endpoint: string): boolean {
  return bucket?.includes('.') === true && endpoint.startsWith('https:')
}

/** Identifies the service in checkpoints. It leaves out the keys, which may change. */
function placeIdOf(options: ConnectionOptions): string {
  const identity = `${options.dialect} ${options.endpoint ?? ''}`
  return createHash('sha256').update(identity).digest('hex').slice(0, 16)
}

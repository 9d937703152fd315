import type { SignatureMethod, StoreDialect } from '../../../shared/place/place.ts'
import type { Network } from '../network/network.ts'

/** Everything needed to talk to one bucket. It includes the secret, so it stays in the main process. */
export interface StoreConnection {
  /** Base URL of the service, `http://host[:port]` or `https://host[:port]`. */
  readonly endpoint: string
  /** Empty for requests about the service itself; listing its buckets is the only one. */
  readonly bucket: string
  readonly dialect: StoreDialect
  /** The bucket is part of the path instead of the host name. */
  readonly pathStyle: boolean
  /** The word before a signature (docs/dialect.md, Signature). Unused by s3. */
  readonly scheme: string
  /** S3 only distinguishes `none` from the others, because it has one way to sign. */
  readonly signature: SignatureMethod
  /** Empty when the endpoint or the service tells it. Unused by the storage dialect. */
  readonly region: string
  /** Null to send requests unsigned. */
  readonly credentials: Credentials | null
  /** Supplies credentials that change, those of a profile or a sign-in, instead of `credentials`. */
  readonly credentialSource?: CredentialSource
  /** Wall clock in milliseconds since the epoch; `Date.now` when left out. */
  readonly now?: () => number
  /** How connections leave this computer; directly when left out. */
  readonly network?: Network
}

export interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Accompanies credentials that expire. */
  readonly sessionToken?: string
}

/**
 * Called before every request, so it must cache; `isRefused` means that the service no longer accepts the last ones.
 */
export type CredentialSource = (options: { readonly isRefused: boolean }) => Promise<Credentials>

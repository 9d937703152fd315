import type { SignatureMethod, StoreDialect } from '../../../shared/place/place.ts'
import type { Network } from '../network/network.ts'

/** Everything that is needed to talk to one bucket; the secret included, so it stays in the main process. */
export interface StoreConnection {
  /** Base URL of the service, `http://host[:port]` or `https://host[:port]`. */
  readonly endpoint: string
  /** Empty: requests are about the service, which only listing its buckets is. */
  readonly bucket: string
  readonly dialect: StoreDialect
  /** The bucket stands in the path, not in front of the host. */
  readonly pathStyle: boolean
  /** The word before a signature (docs/dialect.md, Signature). Of no use to s3. */
  readonly scheme: string
  /** S3 tells only `none` from the others: it has one way to sign. */
  readonly signature: SignatureMethod
  /** Empty: the endpoint or the service tells it. Of no use to the storage dialect. */
  readonly region: string
  /** Null: requests go unsigned. */
  readonly credentials: Credentials | null
  /** Gives credentials that change, in place of `credentials`: those of a profile or a sign-in. */
  readonly credentialSource?: CredentialSource
  /** Wall clock in milliseconds since the epoch; `Date.now` when left out. */
  readonly now?: () => number
  /** How connections leave this computer; straight, when left out. */
  readonly network?: Network
}

export interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Goes with credentials that expire. */
  readonly sessionToken?: string
}

/** Asked before every request, so it must remember; `isRefused`: the service did not take the last ones any more. */
export type CredentialSource = (options: { readonly isRefused: boolean }) => Promise<Credentials>

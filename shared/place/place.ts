/** A place is a connection to one object storage service: where it is, how requests are signed, which bucket. */
export type PlaceId = string

/** The protocol of a service: that of docs/dialect.md, or Amazon's S3 API. */
export type StoreDialect = 'storage' | 's3'

/** How requests are signed (docs/dialect.md, Signature). */
export type SignatureMethod = 'hmac-sha1' | 'hmac-sha256' | 'none'

/** What the form of a place can start from: a provider or a kind of service, the common ones first. */
export const PLACE_PRESETS = [
  'aws',
  'r2',
  'b2',
  'gcs',
  'minio',
  'wasabi',
  'digitalocean',
  'scaleway',
  'storj',
  'ceph',
  's3',
  'storage',
] as const
export type PlacePreset = (typeof PLACE_PRESETS)[number]

/** Tags that tell places apart at a glance. */
export const PLACE_COLORS = ['none', 'red', 'orange', 'green', 'teal', 'blue', 'purple'] as const
export type PlaceColor = (typeof PLACE_COLORS)[number]

/** A name that can stand in a path or host. Only the service knows whether there is such a bucket. */
export const BUCKET_NAME = /^[^/\s\p{Cc}]{1,255}$/u
/** A region, or the first word of an Authorization header. */
export const SIGNED_WORD = /^[A-Za-z0-9_-]{1,64}$/

/** What the window may know about a place. The secret key is not part of it: it never leaves the main process. */
export interface Place {
  readonly id: PlaceId
  readonly name: string
  /** Base URL of the service, `http://host[:port]` or `https://host[:port]`. */
  readonly endpoint: string
  /** Empty: the place spans all buckets of its key. */
  readonly bucket: string
  /** Where the place begins, for keys that may see nothing else: a prefix that ends in `/`; left out: the whole bucket. */
  readonly folder?: string
  readonly dialect: StoreDialect
  /** True: `/<bucket>/<key>`. False: `<bucket>.<host>/<key>`. */
  readonly pathStyle: boolean
  /** First word of the Authorization header of the `storage` dialect. */
  readonly scheme: string
  readonly signature: SignatureMethod
  readonly region: string
  readonly accessKeyId: string
  /** The profile in `~/.aws` that gives the keys (`s3` dialect); empty: the place has its own. */
  readonly profile: string
  readonly preset: PlacePreset
  readonly color: PlaceColor
  /** A word that a person gave it, such as “work”; left out: none. */
  readonly label?: string
  /** The folder that downloads from here go to; left out: the one in the settings. */
  readonly downloadsFolder?: string
  /** The demo store inside the app: it cannot be edited. */
  readonly isDemo: boolean
  /** The secret key isn't available: it was not kept, for want of a keyring, or is locked. Nothing works without it. */
  readonly lacksSecret?: boolean
  /** The secret key is in a keyring that can't be opened now. Only set together with `lacksSecret`. */
  readonly isLocked?: boolean
}

/** Secrets that are entered and never read back. Empty when a place is edited and keeps those it has. */
export interface PlaceSecrets {
  readonly secretAccessKey: string
  /** Accompanies keys that expire (`s3`); empty: they don't. */
  readonly sessionToken: string
}

/** A place as the form has it. */
export type NewPlace = Omit<Place, 'id' | 'isDemo' | 'lacksSecret' | 'isLocked'> & PlaceSecrets

/** Whether the service copies objects itself, as renaming and moving need: the storage dialect has no such operation. */
export function makesCopies({ dialect }: Pick<Place, 'dialect'>): boolean {
  return dialect === 's3'
}

/** Whether buckets can be created: the storage dialect has no such operation. */
export function createsBuckets({ dialect }: Pick<Place, 'dialect'>): boolean {
  return dialect === 's3'
}

/** Where a place's requests go: the same text for the same scheme, host and port. */
export function placeAddress({ endpoint }: Pick<Place, 'endpoint'>): string {
  const bare = endpoint.toLowerCase().replace(/\/$/, '')
  return bare.startsWith('https:') ? bare.replace(/:443$/, '') : bare.replace(/:80$/, '')
}

/** Equal for places with the same service, bucket, folder and keys, whatever their other settings. */
export function placeIdentity(
  place: Pick<Place, 'endpoint' | 'bucket' | 'folder' | 'dialect' | 'accessKeyId' | 'profile'>,
): string {
  const { bucket, folder = '', dialect, accessKeyId, profile } = place
  return JSON.stringify([placeAddress(place), bucket, folder, dialect, accessKeyId, profile])
}

/** What became of the places in an imported file. */
export interface ImportedPlaces {
  readonly added: number
  /** Places that were here already. */
  readonly known: number
  /** Places that can't be read, such as a newer version's. */
  readonly unreadable: number
}

/** A profile in `~/.aws`, without its secrets. */
export interface AwsProfile {
  readonly name: string
  /** Empty: it names none. */
  readonly region: string
  /** The address of the service that its keys are for. Empty: it names none, so they are for Amazon. */
  readonly endpoint: string
  /** Where its keys come from. */
  readonly kind: 'keys' | 'sso' | 'role' | 'process'
}

/** One row of an object listing. */
export interface ListedObject {
  readonly key: string
  readonly sizeBytes: number
  readonly etag: string
  /** ISO 8601 UTC. */
  readonly lastModified: string
}

export interface ListedBucket {
  readonly name: string
  /** ISO 8601 UTC; null when the service doesn’t say. */
  readonly createdAt: string | null
}

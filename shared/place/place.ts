/** A place is a connection to one object storage service: where it is, how requests are signed, which bucket. */
export type PlaceId = string

/** How a service is spoken to: as docs/dialect.md has it, or as Amazon's S3 API does. */
export type StoreDialect = 'storage' | 's3'

/** How requests are signed (docs/dialect.md, Signature). */
export type SignatureMethod = 'hmac-sha1' | 'hmac-sha256' | 'none'

/** What the form of a place begins with: a provider, or a kind of service; the common ones first. */
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

/** A name that can stand in a path or host; the service says whether there is such a bucket. */
export const BUCKET_NAME = /^[^/\s\p{Cc}]{1,255}$/u
/** A region, or the first word of an Authorization header. */
export const SIGNED_WORD = /^[A-Za-z0-9_-]{1,64}$/

/** What a person may know about a place. The secret key is not part of it: it never leaves the main process. */
export interface Place {
  readonly id: PlaceId
  readonly name: string
  /** Base URL of the service, `http://host[:port]` or `https://host[:port]`. */
  readonly endpoint: string
  /** Empty: the place spans all buckets of its key. */
  readonly bucket: string
  readonly dialect: StoreDialect
  /** True: `/<bucket>/<key>`. False: `<bucket>.<host>/<key>`. */
  readonly pathStyle: boolean
  /** First word of the Authorization header of the `storage` dialect. */
  readonly scheme: string
  readonly signature: SignatureMethod
  readonly region: string
  readonly accessKeyId: string
  /** Profile of `~/.aws` that gives the keys of the `s3` dialect; empty: the place has its own. */
  readonly profile: string
  readonly preset: PlacePreset
  readonly color: PlaceColor
  /** A word that a person gave it, such as “work”; left out: none. */
  readonly label?: string
  /** Folder that downloads from here go to; left out: the one of the settings. */
  readonly downloadsFolder?: string
  /** The demo store inside the app: it cannot be edited. */
  readonly isDemo: boolean
  /** Its secret key was not kept, for want of a keyring: nothing works before it is entered again. */
  readonly lacksSecret?: boolean
  /** Its secret key was kept, in a keyring that can't be opened now. Goes with `lacksSecret`. */
  readonly isLocked?: boolean
}

/** What goes in and is never read back. Empty where a place that is edited keeps what it has. */
export interface PlaceSecrets {
  readonly secretAccessKey: string
  /** Goes with keys that expire (`s3`); empty: they don't. */
  readonly sessionToken: string
}

/** A form's worth of a place. */
export type NewPlace = Omit<Place, 'id' | 'isDemo' | 'lacksSecret' | 'isLocked'> & PlaceSecrets

/** Where its requests go, the same text for the same scheme, host and port. */
export function placeAddress({ endpoint }: Pick<Place, 'endpoint'>): string {
  const bare = endpoint.toLowerCase().replace(/\/$/, '')
  return bare.startsWith('https:') ? bare.replace(/:443$/, '') : bare.replace(/:80$/, '')
}

/** Equal for places that are the same but for their settings. */
export function placeIdentity(
  place: Pick<Place, 'endpoint' | 'bucket' | 'dialect' | 'accessKeyId' | 'profile'>,
): string {
  const { bucket, dialect, accessKeyId, profile } = place
  return JSON.stringify([placeAddress(place), bucket, dialect, accessKeyId, profile])
}

/** What became of the places of a file. */
export interface ImportedPlaces {
  readonly added: number
  /** Those that were here already. */
  readonly known: number
  /** Those that can't be read, a newer version's for example. */
  readonly unreadable: number
}

/** A profile of `~/.aws`, without what it holds. */
export interface AwsProfile {
  readonly name: string
  /** Empty: it names none. */
  readonly region: string
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
  /** ISO 8601 UTC; null when the service doesn’t tell. */
  readonly createdAt: string | null
}

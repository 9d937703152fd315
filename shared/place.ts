/** A place is a connection to one object storage service: where it is, how requests are signed, which bucket. */
export type PlaceId = string

export type StoreDialect = 'storage' | 's3'

/** How requests are signed (dialect: Signature). */
export type SignatureMethod = 'hmac-sha1' | 'hmac-sha256' | 'none'

/** What a person may know about a place. The secret key is not part of it: it never leaves the main process. */
export interface Place {
  readonly id: PlaceId
  readonly name: string
  /** Base URL of the service, `http://host[:port]` or `https://host[:port]`. */
  readonly endpoint: string
  readonly bucket: string
  readonly dialect: StoreDialect
  /** True: `/<bucket>/<key>`. False: `<bucket>.<host>/<key>`. */
  readonly pathStyle: boolean
  /** First word of the Authorization header of the `storage` dialect. */
  readonly scheme: string
  readonly signature: SignatureMethod
  readonly region: string
  readonly accessKeyId: string
  /** The demo store inside the app: it cannot be edited. */
  readonly isDemo: boolean
}

/** A form's worth of a new place. The secret goes in and is never read back. */
export type NewPlace = Omit<Place, 'id' | 'isDemo'> & { readonly secretAccessKey: string }

/** One row of an object listing. */
export interface ListedObject {
  readonly key: string
  readonly sizeBytes: number
  readonly etag: string
  /** ISO 8601 UTC. */
  readonly lastModified: string
}

/** What the file of a new upload would gain by continuing an unfinished upload. */
export interface UploadCandidate {
  readonly uploadId: string
  /** Milliseconds since the epoch; null when the service does not say. */
  readonly startedAtMs: number | null
  /** The number of parts of the whole file. */
  readonly partsTotal: number
  readonly partsThere: number
  /** The number of parts that are proven to have the file's bytes; the others would be sent again. */
  readonly partsProven: number
  /** Bytes that need not be sent again. */
  readonly provenBytes: number
  /** False when the service gives nothing to compare a part by. */
  readonly isProvable: boolean
}

/** The unfinished uploads that a file was compared with. */
export interface UploadOffer {
  /** Best proven first, then newest. Uploads without any part of the file are left out. */
  readonly candidates: readonly UploadCandidate[]
  /** How many more there are whose parts this key may not see. */
  readonly unseen: number
}

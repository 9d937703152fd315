/** What an unfinished upload of the service has to offer to the file of a new one. */
export interface UploadCandidate {
  readonly uploadId: string
  /** Milliseconds since the epoch; null when the service does not tell. */
  readonly startedAtMs: number | null
  /** Parts of the whole file. */
  readonly partsTotal: number
  readonly partsThere: number
  /** Parts that are proven to have the bytes of the file; the others would be sent again. */
  readonly partsProven: number
  /** Bytes that need not be sent again. */
  readonly provenBytes: number
  /** False when the service gives nothing that a part could be compared by. */
  readonly isProvable: boolean
}

/** The unfinished uploads that a file was compared with. */
export interface UploadOffer {
  /** Best proven first, then newest. Those of which no part is of the file are left out. */
  readonly candidates: readonly UploadCandidate[]
  /** How many there are whose parts this key may not see. */
  readonly unseen: number
}

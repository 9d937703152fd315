import type { DigestAlgorithm } from '../core/deps.ts'

/**
 * What a hash thread may be asked. Requests with an MD5 of their own (`md5`, `read`) may be sent side by side; of the
 * others the pool sends the next one when one is answered.
 */
export type HashRequest =
  Md5Request | RangeRequest | SumRequest | StreamRequest | DigestRequest | ReadRequest | LeaveRequest

/** A piece of a file, in bytes. */
export interface FileRange {
  readonly path: string
  readonly offset: number
  readonly length: number
}

/** Asks for the MD5 of a range. */
export interface Md5Request extends FileRange {
  readonly kind: 'md5'
}

/** Asks for another digest of a range. */
export interface RangeRequest extends FileRange {
  readonly kind: 'digest-range'
  readonly algorithm: DigestAlgorithm
}

/** Asks for the CRC-32 of a range. */
export interface SumRequest extends FileRange {
  readonly kind: 'crc32'
}

/** Adds a range to the hash of a stream, which lives in the thread until its digest is asked for. */
export interface StreamRequest extends FileRange {
  readonly kind: 'stream'
  readonly stream: number
  readonly algorithm: DigestAlgorithm
}

/** Ends a stream. */
export interface DigestRequest {
  readonly kind: 'digest'
  readonly stream: number
}

/** Fills `block` with the next bytes of a reading, which lives in the thread until its last block. */
export interface ReadRequest {
  readonly kind: 'read'
  readonly reading: number
  readonly path: string
  readonly offset: number
  /** A multiple of 64 unless `isLast`. */
  readonly length: number
  readonly isLast: boolean
  /** The asker's memory, which it leaves alone until the answer. */
  readonly block: SharedArrayBuffer
}

/** Ends a reading before its last block. */
export interface LeaveRequest {
  readonly kind: 'leave'
  readonly reading: number
}

/** Stops the work on a request, which is answered all the same. A stream that was stopped can't be used any more. */
export interface HashCancel {
  readonly kind: 'cancel'
  readonly id: number
}

/** What the pool sends: a request, and the number that its answer carries. */
export type HashMessage = HashCancel | { readonly kind: 'ask'; readonly id: number; readonly request: HashRequest }

/** A number for a CRC-32, hex for a digest, null for a range that went into a stream. */
export type HashReply =
  | { readonly kind: 'done'; readonly value: string | number | null }
  | { readonly kind: 'failed'; readonly message: string; readonly code: string | null }
  | { readonly kind: 'canceled' }

export interface HashAnswer {
  readonly id: number
  readonly reply: HashReply
}

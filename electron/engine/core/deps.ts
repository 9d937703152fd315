// What the engine needs of the machine, as interfaces, so that tests can give it another clock, disk and network.

import type * as fs from 'node:fs/promises'
import type { ListedUpload, ObjectStore } from '../../stores/port/object-store.ts'
import type { CheckpointStore } from './checkpoint-store.ts'
import type { StoreLocation } from './records.ts'
import type { RetryPolicy } from './retry-policy.ts'

/** Time, so that tests own it. `nowMs` is the wall clock, for showing and storing; `monotonicMs` measures. */
export interface Clock {
  nowMs(): number
  monotonicMs(): number
  /** Resolves after `delayMs`; rejects with `signal.reason` when aborted. */
  sleep(delayMs: number, signal: AbortSignal): Promise<void>
}

/** The calls of `node:fs/promises` that the engine makes, so that tests can make each of them fail. */
export type FileSystem = Pick<
  typeof fs,
  'open' | 'stat' | 'lstat' | 'statfs' | 'rename' | 'link' | 'unlink' | 'mkdir' | 'readdir' | 'utimes'
> & { realpath(path: string): Promise<string> }

/** Hashes and CRCs that services give. */
export type DigestAlgorithm = 'md5' | 'sha1' | 'sha256' | 'crc32' | 'crc32c' | 'crc64nvme'

/** Hashes files off the calling thread. */
export interface Hasher {
  /**
   * MD5 of `length` bytes of `path` from `offset`, hex. Throws the file system's error, and `signal.reason` when
   * aborted. Reads fewer bytes than asked for: throws an Error with code `ESHORTREAD`.
   */
  md5(path: string, offset: number, length: number, signal: AbortSignal): Promise<string>
  /** Any digest of the same range, hex; of a CRC the highest byte first. */
  digest(algorithm: DigestAlgorithm, path: string, offset: number, length: number, signal: AbortSignal): Promise<string>
  /** CRC-32 of the same range, unsigned. */
  crc32(path: string, offset: number, length: number, signal: AbortSignal): Promise<number>
  /** Begins to read `length` bytes of `path` from `offset`, once and in order, hashed with MD5 as they come. */
  read(path: string, offset: number, length: number): HashedRead
  /** Begins the hash of a file that may still be growing, from its first byte on. */
  open(path: string, algorithm: DigestAlgorithm): HashStream
  close(): Promise<void>
}

/** A range that is read block by block off the calling thread. */
export interface HashedRead {
  /**
   * Fills `block`, a multiple of 64 bytes long, with the next bytes; rejects as `md5` does. The caller leaves the block alone
   * until then, and after a rejection until `end` has resolved. May be called ahead of the answers.
   */
  next(block: SharedArrayBuffer, signal: AbortSignal): Promise<HashedBlock>
  /** Call it when no more is asked for. Resolves when nothing fills a block any more, which may take as long as a drive hangs. */
  end(): Promise<void>
}

export interface HashedBlock {
  readonly bytes: Uint8Array<SharedArrayBuffer>
  /** Hex MD5 of the whole range, with its last block. */
  readonly md5: string | null
}

/** A hash that takes a file bit by bit. */
export interface HashStream {
  /** Adds the next `length` bytes of the file. Rejects as `md5` does; the stream is then of no use any more. */
  append(length: number, signal: AbortSignal): Promise<void>
  /** Hex, of all that was added. Ends the stream. */
  digest(): Promise<string>
  /** Ends a stream whose digest is not wanted. */
  end(): void
}

/** Finds the unfinished uploads of the service that a new upload of the same key could continue. */
export interface OpenUploads {
  /** These will be asked about: one listing serves all of a bucket. */
  expect(addresses: readonly UploadKey[]): void
  /**
   * Those of exactly this key, as of ten minutes ago at most; none where the service doesn't list them, or not to us.
   * Throws TransferError, and `signal.reason` when aborted.
   */
  ofKey(address: UploadKey, asker: UploadAsker): Promise<readonly ListedUpload[]>
}

/** Where an upload goes. */
export interface UploadKey {
  readonly location: StoreLocation
  readonly key: string
}

/** Who asks the service, and how. */
export interface UploadAsker {
  readonly store: ObjectStore
  readonly retryPolicy: RetryPolicy
  readonly signal: AbortSignal
}

/** Marks files, by their absolute paths, so that the system asks before it runs them. */
export type MarkOrigin = (paths: readonly string[]) => Promise<void>

/** Everything the engine needs from outside. */
export interface EngineDeps {
  readonly clock: Clock
  /** 0 ≤ n < 1, for jitter. */
  readonly random: () => number
  readonly uuid: () => string
  readonly fileSystem: FileSystem
  readonly hasher: Hasher
  readonly checkpoints: CheckpointStore
  /** Secret of this user (32 bytes): tells sidecars that were written here from those that others put there. */
  readonly sidecarKey: Uint8Array
  /** Marks files as downloaded, before they get their final names; never rejects. Left out: no marks. */
  readonly markOrigin?: MarkOrigin | undefined
  /** Looks for unfinished uploads before a new one is begun; left out: it is begun without looking. */
  readonly openUploads?: OpenUploads
  /** Content-Type of a file by its name; null: unknown. Left out: none is sent. */
  readonly contentTypeOf?: (path: string) => string | null
  /** The store of a place or link; throws StoreError when the place is unknown. The engine does not close it. */
  readonly openStore: (location: StoreLocation) => ObjectStore
}

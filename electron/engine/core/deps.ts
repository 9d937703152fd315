// What the engine needs from the machine, as interfaces, so that tests can replace clock, disk and network.

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

/** The hashes and CRCs that services report. */
export type DigestAlgorithm = 'md5' | 'sha1' | 'sha256' | 'crc32' | 'crc32c' | 'crc64nvme'

/** Hashes files off the calling thread. */
export interface Hasher {
  /**
   * MD5 of `length` bytes of `path` from `offset`, hex. Throws the file system's error, `signal.reason` when aborted,
   * and an Error with code `ESHORTREAD` if the file has fewer bytes than asked for.
   */
  md5(path: string, offset: number, length: number, signal: AbortSignal): Promise<string>
  /** Any digest of such a range, hex; a CRC has its highest byte first. */
  digest(algorithm: DigestAlgorithm, path: string, offset: number, length: number, signal: AbortSignal): Promise<string>
  /** CRC-32 of such a range, unsigned. */
  crc32(path: string, offset: number, length: number, signal: AbortSignal): Promise<number>
  /** Begins to read `length` bytes of `path` from `offset`, once and in order, and hashes them with MD5 on the way. */
  read(path: string, offset: number, length: number): HashedRead
  /** Begins the hash of a file that may still be growing, from its first byte on. */
  open(path: string, algorithm: DigestAlgorithm): HashStream
  close(): Promise<void>
}

/** A range that is read block by block off the calling thread. */
export interface HashedRead {
  /**
   * Fills `block`, a multiple of 64 bytes long, with the next bytes; rejects as `md5` does. The caller leaves the block
   * alone until this resolves, or, if it rejects, until `end` has resolved. May be called ahead of the answers.
   */
  next(block: SharedArrayBuffer, signal: AbortSignal): Promise<HashedBlock>
  /** Must be called after the last `next`. Resolves when nothing fills a block any more, however long a drive hangs. */
  end(): Promise<void>
}

export interface HashedBlock {
  readonly bytes: Uint8Array<SharedArrayBuffer>
  /** Hex MD5 of the whole range, with its last block; null before. */
  readonly md5: string | null
}

/** A hash that takes in a file bit by bit. */
export interface HashStream {
  /** Adds the next `length` bytes of the file. Rejects as `md5` does; after that the stream can't be used. */
  append(length: number, signal: AbortSignal): Promise<void>
  /** The hash of all bytes that were added, hex. Ends the stream. */
  digest(): Promise<string>
  /** Ends a stream whose digest is not wanted. */
  end(): void
}

/** Finds the service's unfinished uploads that a new upload of the same key could continue. */
export interface OpenUploads {
  /** Announces keys that will be asked about: one listing serves all of a bucket. */
  expect(addresses: readonly UploadKey[]): void
  /**
   * The uploads of exactly this key, as of at most ten minutes ago; none if the service doesn't list them, or not to
   * us. Throws TransferError, and `signal.reason` when aborted.
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
  /** Secret of this user (32 bytes): tells sidecars that were written here from others. */
  readonly sidecarKey: Uint8Array
  /** Marks files as downloaded before they get their final names; never rejects. If left out, files get no marks. */
  readonly markOrigin?: MarkOrigin | undefined
  /** Looks for unfinished uploads before a new one is begun. If left out, nothing looks. */
  readonly openUploads?: OpenUploads
  /** Content-Type of a file by its name; null if unknown. If left out, none is sent. */
  readonly contentTypeOf?: (path: string) => string | null
  /** The store of a place or link; throws StoreError if the place is unknown. The engine does not close it. */
  readonly openStore: (location: StoreLocation) => ObjectStore
}

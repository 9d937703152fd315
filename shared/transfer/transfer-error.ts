import { STORE_ERROR } from '../service-codes.ts'
import type { WaitCause } from '../wait-cause.ts'

/** Everything that can stop a transfer until a person acts. The words are in `error-words.ts`. */
export const TRANSFER_ERROR_CODES = [
  'access-denied',
  'another-object',
  'answer-unreadable',
  'certificate-untrusted',
  'changed-on-server',
  'clock-skew',
  'conflict-on-server',
  'disk-full',
  'earlier-upload',
  'feature-unavailable',
  'file-too-large',
  'final-mismatch',
  'ends-early',
  'gave-up-waiting',
  'internal',
  'invalid-argument',
  'items-failed',
  'key-not-accepted',
  'keys-expired',
  'link-expired',
  'name-not-storable',
  'no-https',
  'no-such-bucket',
  'no-such-key',
  'outcome-unknown',
  'part-damaged',
  'partial-gone',
  'place-removed',
  'proxy-refused',
  'proxy-sign-in',
  'proxy-unsupported',
  'range-not-answered',
  'refused-by-server',
  'source-changed',
  'source-missing',
  'source-unreadable',
  'state-unwritable',
  'target-exists',
  'target-read-only',
  'target-unwritable',
  'upload-lost',
  'web-page',
] as const

export type TransferErrorCode = (typeof TRANSFER_ERROR_CODES)[number]

/** An error as it crosses IPC and is stored: plain values, no secrets, no stack. */
export interface TransferErrorInfo {
  readonly code: TransferErrorCode
  /** Technical detail for "Copy details"; never shown as the sentence. */
  readonly detail: string
  /** The service's own code and request id, when an answer carried them. */
  readonly serviceCode: string | null
  readonly httpStatus: number | null
  readonly requestId: string | null
  /** Set when a person has to decide between the object on the server and the one that was to be there. */
  readonly dispute?: ObjectDispute | undefined
  /** What the transfer waited for in vain. */
  readonly waitCause?: WaitCause | undefined
  /** Set if that was a proxy, not the service behind it. */
  readonly isOfProxy?: true | undefined
  /** The system whose privacy settings may have refused access to a folder. */
  readonly guard?: FolderGuard | undefined
}

/** The privacy settings of macOS, or Windows' Controlled folder access: a person has to let apps in. */
export type FolderGuard = 'macos' | 'windows'

/** The object on the server, and the one that an upload was to make. */
export interface ObjectDispute {
  /** Null: nothing is there, or the service doesn't let us look. */
  readonly found: {
    readonly sizeBytes: number | null
    readonly etag: string | null
    /** HTTP date as sent. */
    readonly lastModified: string | null
  } | null
  readonly expected: { readonly sizeBytes: number | null; readonly etag: string | null }
}

/** Whether unlocking the keyring fixes the error, because it holds a key, a link or the proxy's password. */
export function isOfLockedKeyring(error: TransferErrorInfo | null): boolean {
  return error?.serviceCode === STORE_ERROR.keyringLocked || error?.serviceCode === STORE_ERROR.proxyKeyringLocked
}

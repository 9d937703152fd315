// How a command reports failure: in the catalog's words, always in English.

import { formatBytesUp } from '../../shared/format/format-amount.ts'
import { t } from '../../shared/language/translate.ts'
import { ARCHIVED_CODE, QUOTA_CODES } from '../../shared/service-codes.ts'
import { describeError, sourceMissingWords } from '../../shared/transfer/words/error-words.ts'
import { CheckpointError, classify, errnoCode, StateUnwritable } from '../engine/index.ts'
import type { ObjectDispute, TransferErrorCode, TransferErrorInfo } from '../../shared/transfer/transfer-error.ts'
import type { TransferRow, WaitState } from '../../shared/transfer/transfer.ts'
import { isOwnCode, STORE_ERROR } from '../stores/port/store-error.ts'
import { EXIT, exitStatusOf, type ExitStatus } from './exit-status.ts'
import { UsageError } from './usage-error.ts'

/** Ends a command with a sentence, a stable code and an exit status. */
export class CommandError extends Error {
  readonly code: string
  readonly exitStatus: ExitStatus
  readonly requestId: string | null
  /** The two objects that a person has to decide between, if that is why the command ended. */
  readonly dispute: ObjectDispute | null

  constructor(
    code: string,
    message: string,
    exitStatus: ExitStatus = EXIT.needsPerson,
    requestId: string | null = null,
    dispute: ObjectDispute | null = null,
  ) {
    super(message)
    this.name = 'CommandError'
    this.code = code
    this.exitStatus = exitStatus
    this.requestId = requestId
    this.dispute = dispute
  }
}

/** The error of a failed transfer, in the catalog's words plus the service's own code for the curious. */
export function commandErrorOf(error: TransferErrorInfo, { host, ...subject }: ErrorSubject): CommandError {
  const isLink = host !== null
  const { sentence } = describeError(error, { ...subject, isLink, placeName: host ?? serviceIn(error) })
  const detail = serviceDetail(error, isLink)
  const advice = error.dispute === undefined ? (HINTS.get(error.code) ?? '') : ` ${disputeWords(error.dispute)}`
  return new CommandError(
    error.code,
    `${sentence}${detail}${advice}`,
    exitStatusOf(error),
    error.requestId,
    error.dispute ?? null,
  )
}

/** What to do about errors for which the window has a button. */
const HINTS: ReadonlyMap<string, string> = new Map([
  ['another-object', ' Give --overwrite to drop it and download the other.'],
  ['upload-lost', ' Give the command again to upload the file anew.'],
])

/** What stands for the service in the sentence: sentences about a proxy don't begin with it. */
function serviceIn({ code, isOfProxy }: TransferErrorInfo): string {
  return code === 'proxy-refused' || isOfProxy === true ? 'the service' : 'The service'
}

/** What a command's error is about. */
export interface ErrorSubject {
  readonly name: string
  readonly bucket: string
  readonly localPath: string
  /** The link's host; null when it isn't a link. */
  readonly host: string | null
  readonly isFolder?: boolean
  readonly keepsBytes?: boolean
}

/**
 * The service's code or else the HTTP status; for some errors, where a redirect leads, which answer could not be read
 * or what was wrong with it. Most sentences about links contain the status already.
 */
function serviceDetail(
  { code, serviceCode, httpStatus, detail, requestId }: TransferErrorInfo,
  isLink: boolean,
): string {
  if (serviceCode === STORE_ERROR.redirect || code === 'range-not-answered') return ` (${detail})`
  if (code === 'answer-unreadable') return ` (${detail}${requestId === null ? '' : `, request ${requestId}`})`
  if (code === 'certificate-untrusted') return ` ${closed(detail)}`
  if (code === 'target-unwritable') return detail === '' ? '' : ` (${withoutCall(detail)})`
  const isNamed = serviceCode !== null && !isOwnCode(serviceCode)
  const hasStatus = httpStatus !== null && (!isLink || (code === 'refused-by-server' && httpStatus >= 300))
  if (isNamed && !isLink) return ` (${serviceCode}${isGeneral(code, serviceCode) ? ownWords(detail, serviceCode) : ''})`
  return hasStatus ? ` (${String(httpStatus)})` : ''
}

const GENERAL_CODES = new Set<TransferErrorCode>(['access-denied', 'invalid-argument', 'refused-by-server'])
const MOST_OWN_WORDS = 200

/** Whether the sentence for the code says only that something was refused, not why. */
function isGeneral(code: TransferErrorCode, serviceCode: string): boolean {
  return GENERAL_CODES.has(code) && serviceCode !== ARCHIVED_CODE && !QUOTA_CODES.has(serviceCode)
}

/** What the service said besides its code; empty if that only repeats the code. */
function ownWords(detail: string, serviceCode: string): string {
  const at = detail.indexOf(`${serviceCode}: `)
  const words = at === -1 ? '' : detail.slice(at + serviceCode.length + 2).trim()
  const letters = (text: string): string => text.replace(/[^a-z]/gi, '').toLowerCase()
  if (letters(words) === '' || letters(words) === letters(serviceCode)) return ''
  return `: ${words.length > MOST_OWN_WORDS ? `${words.slice(0, MOST_OWN_WORDS)}…` : words.replace(/\.$/, '')}`
}

/** Describes both objects of a dispute, and what to do about it. */
function disputeWords({ found, expected }: ObjectDispute): string {
  const there = found === null ? 'it doesn’t let us look' : [...sizeAndEtag(found), ...modified(found)].join(', ')
  return `On the server: ${there}. Your file: ${sizeAndEtag(expected).join(', ')}. To keep what is there, do nothing; to upload the file again, give the command again.`
}

function sizeAndEtag({ sizeBytes, etag }: ObjectDispute['expected']): readonly string[] {
  return [
    sizeBytes === null ? 'size not known' : `${String(sizeBytes)} bytes`,
    etag === null ? 'no ETag' : `ETag ${etag}`,
  ]
}

function modified({ lastModified }: { readonly lastModified: string | null }): readonly string[] {
  return lastModified === null ? [] : [`modified ${lastModified}`]
}

/** The error of a command that a signal stopped. */
export function stopped(): CommandError {
  return new CommandError('stopped', 'Stopped. Run the same command again to go on.', EXIT.canContinue)
}

/**
 * The error of a command whose volume is full or read-only; null for other reasons, which are worth waiting for. The
 * window waits for a person to make room, but a command ends at once, because a person may not be there.
 */
export function volumeUnwritable(
  { reason, lackingBytes }: Pick<WaitState, 'reason' | 'lackingBytes'>,
  { name, confirmedBytes }: { readonly name: string | null; readonly confirmedBytes: number },
): CommandError | null {
  if (reason !== 'disk-full' && reason !== 'target-unwritable') return null
  const code = reason === 'disk-full' ? reason : 'target-read-only'
  const words = name === null ? NAMELESS[code] : unwritableWords(code, name, lackingBytes)
  return new CommandError(code, `${words}${keptWords(confirmedBytes)}`, EXIT.canContinue)
}

function unwritableWords(code: keyof typeof NAMELESS, name: string, lackingBytes: number | undefined): string {
  if (lackingBytes === undefined) return t(`transfer.error.${code}`, { name })
  return t('transfer.error.disk-lacks', { name, amount: formatBytesUp(lackingBytes) })
}

/** The error of a command that can't record its progress, because the disk that holds its state folder is full or read-only. */
export function stateUnwritable(folder: string, confirmedBytes: number): CommandError {
  const words = `Can’t save progress: the disk that holds ${folder} is full or read-only.`
  return new CommandError('state-unwritable', `${words}${keptWords(confirmedBytes)}`, EXIT.canContinue)
}

/** Sentences for a failure that names no path. */
const NAMELESS = { 'disk-full': 'Not enough space.', 'target-read-only': 'The disk is now read-only.' } as const

/** The error of an upload whose file or folder is gone. Once it is back, the same command continues the upload. */
export function sourceGone({
  localPath,
  items,
  confirmedBytes,
}: Pick<TransferRow, 'localPath' | 'items' | 'confirmedBytes'>): CommandError {
  const missing = sourceMissingWords(localPath, items != null)
  return new CommandError('source-missing', `${missing}${keptWords(confirmedBytes)}`)
}

function keptWords(confirmedBytes: number): string {
  return confirmedBytes > 0 ? ' What was transferred is kept.' : ''
}

/** Turns anything that a command threw into its error. After a transient failure, the same command can continue. */
export function commandErrorOfFailure(
  failure: unknown,
  signal: AbortSignal,
  linkHost: string | null = null,
): CommandError {
  if (failure instanceof CommandError) return failure
  if (failure instanceof UsageError) return new CommandError('usage', failure.message, EXIT.usage)
  if (signal.aborted) return stopped()
  if (failure instanceof CheckpointError) return commandErrorOfCheckpoint(failure)
  if (failure instanceof StateUnwritable) return stateUnwritable(failure.path, 0)
  const verdict = classify(failure)
  if (verdict.kind === 'wait') {
    const unwritable = volumeUnwritable(verdict, { name: pathOf(failure), confirmedBytes: 0 })
    if (unwritable !== null) return unwritable
    // The message names the proxy, or the profile that gives no keys.
    const isComplete = verdict.reason === 'proxy' || verdict.cause?.code === 'keys-awaited'
    const words = isComplete ? closed(messageOf(failure)) : `The server did not answer: ${messageOf(failure)}`
    return new CommandError('gave-up-waiting', words, EXIT.canContinue)
  }
  const { info } = verdict.error
  if (info.code === 'internal') return new CommandError('internal', sentenceOf(failure))
  // There is no transfer to name here, but the detail of a file's failure names the file.
  if (LOCAL_CODES.has(info.code)) return new CommandError(info.code, closed(withoutCall(info.detail)))
  return commandErrorOf(info, { name: '', bucket: '', localPath: '', host: linkHost })
}

const LOCAL_CODES = new Set<TransferErrorCode>([
  'name-not-storable',
  'source-missing',
  'source-unreadable',
  'target-exists',
  'target-unwritable',
])

function commandErrorOfCheckpoint(failure: CheckpointError): CommandError {
  const isInUse = failure.code === 'in-use'
  return new CommandError(failure.code, isInUse ? 'The same command is running already.' : failure.message)
}

/** The message of a failure, without the stack. */
function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure)
}

/** A file system error's words without code, system call and path, such as `no such file or directory`. */
export function systemWords(failure: unknown): string {
  return errnoCode(failure) === null ? messageOf(failure) : withoutCall(messageOf(failure))
}

/** `<path>: <words>.` for a file system error, otherwise the failure's own message. */
function sentenceOf(failure: unknown): string {
  if (failure instanceof Error && 'syscall' in failure && failure.syscall === 'uv_cwd') {
    return 'The folder that the command was started in is gone.'
  }
  const path = pathOf(failure)
  return closed(`${path === null ? '' : `${path}: `}${systemWords(failure)}`)
}

function pathOf(failure: unknown): string | null {
  return failure instanceof Error && 'path' in failure && typeof failure.path === 'string' ? failure.path : null
}

/** A file system error's message without the parts that only help programmers. */
function withoutCall(words: string): string {
  return words.replace(/(^|: )E[A-Z0-9]+: ([^']*), [a-z]+(?: '.*)?$/s, '$1$2')
}

function closed(sentence: string): string {
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`
}

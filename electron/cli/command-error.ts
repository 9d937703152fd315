// How a command ends without success: in words of the catalogue, always in English.

import { t } from '../../shared/language/translate.ts'
import { ARCHIVED_CODE, QUOTA_CODES } from '../../shared/service-codes.ts'
import { describeError, sourceMissingWords } from '../../shared/transfer/error-words.ts'
import { CheckpointError, classify, errnoCode } from '../engine/index.ts'
import type { ObjectDispute, TransferErrorCode, TransferErrorInfo } from '../../shared/transfer/transfer-error.ts'
import type { TransferRow, WaitReason } from '../../shared/transfer/transfer.ts'
import { isOwnCode, STORE_ERROR } from '../stores/port/store-error.ts'
import { EXIT, exitStatusOf, type ExitStatus } from './exit-status.ts'
import { UsageError } from './usage-error.ts'

/** Ends a command with a sentence, a stable code and an exit status. */
export class CommandError extends Error {
  readonly code: string
  readonly exitStatus: ExitStatus
  readonly requestId: string | null
  /** What is on the server beside what was to be there, where a person decides between them. */
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

/** A failed transfer as the command's end, in the words of the catalogue plus the service's code for the curious. */
export function commandErrorOf(error: TransferErrorInfo, { host, ...subject }: ErrorSubject): CommandError {
  const isLink = host !== null
  const { sentence } = describeError(error, { ...subject, isLink, placeName: host ?? 'The service' })
  const detail = serviceDetail(error, isLink)
  const hint = error.code === 'another-object' ? ' Give --overwrite to drop it and download the other.' : ''
  const facts = error.dispute === undefined ? '' : ` ${disputeWords(error.dispute)}`
  return new CommandError(
    error.code,
    `${sentence}${detail}${facts}${hint}`,
    exitStatusOf(error),
    error.requestId,
    error.dispute ?? null,
  )
}

/** What a command's error is about. */
export interface ErrorSubject {
  readonly name: string
  readonly bucket: string
  readonly localPath: string
  /** Of the link; null: it is none. */
  readonly host: string | null
  readonly isFolder?: boolean
  readonly keepsBytes?: boolean
}

/**
 * The code that the service gave, or else the status. Where a redirect leads, which answer could not be read, or what
 * was wrong with it. Most of what is said of links has its status in the sentence.
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

/** Whether its sentence says that something was refused, and not why. */
function isGeneral(code: TransferErrorCode, serviceCode: string): boolean {
  return GENERAL_CODES.has(code) && serviceCode !== ARCHIVED_CODE && !QUOTA_CODES.has(serviceCode)
}

/** What the service said beside its code, where that is more than the code once again. */
function ownWords(detail: string, serviceCode: string): string {
  const at = detail.indexOf(`${serviceCode}: `)
  const words = at === -1 ? '' : detail.slice(at + serviceCode.length + 2).trim()
  const letters = (text: string): string => text.replace(/[^a-z]/gi, '').toLowerCase()
  if (letters(words) === '' || letters(words) === letters(serviceCode)) return ''
  return `: ${words.length > MOST_OWN_WORDS ? `${words.slice(0, MOST_OWN_WORDS)}…` : words.replace(/\.$/, '')}`
}

/** Both facts, and what to do about them. */
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

/** The end of a command that a signal stopped. */
export function stopped(): CommandError {
  return new CommandError('stopped', 'Stopped. Run the same command again to go on.', EXIT.canContinue)
}

/**
 * The end of a command whose volume takes no bytes now, being full or read-only; null for what is worth a wait. The
 * window waits for a person who makes room; a command says so at once, because a person may not be there.
 */
export function volumeUnwritable(
  reason: WaitReason,
  { name, confirmedBytes }: { readonly name: string | null; readonly confirmedBytes: number },
): CommandError | null {
  if (reason !== 'disk-full' && reason !== 'target-unwritable') return null
  const code = reason === 'disk-full' ? reason : 'target-read-only'
  const words = name === null ? NAMELESS[code] : t(`transfer.error.${code}`, { name })
  return new CommandError(code, `${words}${keptWords(confirmedBytes)}`, EXIT.canContinue)
}

/** Of a failure that tells no path. */
const NAMELESS = { 'disk-full': 'Not enough space.', 'target-read-only': 'The disk is read-only now.' } as const

/** The end of an upload whose file or folder is gone: it goes on once that is back and the command is given again. */
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

/** Anything a command threw. A transient failure can be tried again: the same command goes on. */
export function commandErrorOfFailure(
  failure: unknown,
  signal: AbortSignal,
  linkHost: string | null = null,
): CommandError {
  if (failure instanceof CommandError) return failure
  if (failure instanceof UsageError) return new CommandError('usage', failure.message, EXIT.usage)
  if (signal.aborted) return stopped()
  if (failure instanceof CheckpointError) return commandErrorOfCheckpoint(failure)
  const verdict = classify(failure)
  if (verdict.kind === 'wait') {
    const unwritable = volumeUnwritable(verdict.reason, { name: pathOf(failure), confirmedBytes: 0 })
    if (unwritable !== null) return unwritable
    const isOfKeys = verdict.cause?.code === 'keys-awaited'
    const words = isOfKeys ? closed(messageOf(failure)) : `The server did not answer: ${messageOf(failure)}`
    return new CommandError('gave-up-waiting', words, EXIT.canContinue)
  }
  const { info } = verdict.error
  if (info.code === 'internal') return new CommandError('internal', sentenceOf(failure))
  // No transfer is there to be named, but the detail of a file's failure names the file.
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
  if (failure.code === 'in-use') return new CommandError(failure.code, 'The same command is running already.')
  const cause = classify(failure.cause)
  if (cause.kind === 'stop') return new CommandError(failure.code, failure.message)
  return new CommandError('disk-full', `${NAMELESS['disk-full']} ${failure.message}`, EXIT.canContinue)
}

/** What went wrong, without the stack. */
function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure)
}

/** What the file system says without its code, what was called and for which path: `no such file or directory`. */
export function systemWords(failure: unknown): string {
  return errnoCode(failure) === null ? messageOf(failure) : withoutCall(messageOf(failure))
}

/** `<path>: <words>.`, of what is no failure of a file system its own message. */
function sentenceOf(failure: unknown): string {
  if (failure instanceof Error && 'syscall' in failure && failure.syscall === 'uv_cwd') {
    return 'The folder that the command was given in is gone.'
  }
  const path = pathOf(failure)
  return closed(`${path === null ? '' : `${path}: `}${systemWords(failure)}`)
}

function pathOf(failure: unknown): string | null {
  return failure instanceof Error && 'path' in failure && typeof failure.path === 'string' ? failure.path : null
}

/** Words of the file system without what is of use to programmers only. */
function withoutCall(words: string): string {
  return words.replace(/(^|: )E[A-Z0-9]+: ([^']*), [a-z]+(?: '.*)?$/s, '$1$2')
}

function closed(sentence: string): string {
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`
}

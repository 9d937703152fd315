// What went wrong and what to do, in sentences, for window and command line alike. Pure.

import { assertNever } from '../assert.ts'
import { causeWords, webPageWords } from '../wait-cause.ts'
import type { TransferErrorInfo } from './transfer-error.ts'

/** What the one button beside an error does. */
export type ErrorAction =
  'retry' | 'start-over' | 'remove' | 'relink' | 'review' | 'decide' | 'certificate' | 'network' | 'edit-place'

export interface ErrorWords {
  /** What happened, in plain words. */
  readonly sentence: string
  readonly action: ErrorAction
  readonly actionLabel: string
}

/** What the sentence may name. */
export interface ErrorContext {
  readonly name: string
  readonly placeName: string
  readonly bucket: string
  readonly localPath: string
  /** There is no place, only a link. */
  readonly isLink?: boolean
  /** What was asked for is everything under a prefix. */
  readonly isFolder?: boolean
}

/** The error catalogue: cause to words and one action. Code and request id belong under Details, not here. */
export function describeError(error: TransferErrorInfo, context: ErrorContext): ErrorWords {
  switch (error.code) {
    case 'access-denied':
      return describeDenial(error, context)
    case 'another-object':
      return relink('The new link leads to a different file. What was downloaded is kept.', 'Paste another link…')
    case 'certificate-untrusted':
      return CERTIFICATE_UNTRUSTED
    case 'changed-on-server':
      return CHANGED_ON_SERVER
    case 'clock-skew':
      return retry('This computer’s clock is off, so the server refuses requests.')
    case 'conflict-on-server':
      return decide('Someone else created this file in the meantime. Nothing was replaced.')
    case 'earlier-upload':
      return review('An earlier upload of this file is unfinished.')
    case 'feature-unavailable':
      return remove('This service doesn’t offer what this transfer needs.')
    case 'gave-up-waiting':
      return retry(describeGivingUp(error, context))
    case 'internal':
      return retry('Something went wrong in the app. What was transferred is safe.')
    case 'invalid-argument':
      return remove('The server doesn’t accept this name or request.')
    case 'items-failed':
      return retry(`Not everything in ${context.name} was transferred.`)
    case 'key-not-accepted':
    case 'keys-expired':
      return describeKey(error, context)
    case 'link-expired':
      return relink('The link has expired. What was downloaded is kept.')
    case 'no-https':
      return describeNoHttps(context)
    case 'no-such-bucket':
      return editPlace(`There is no bucket ${bucketWords(context)}.`)
    case 'no-such-key':
    case 'place-removed':
      return describeGone(error, context)
    case 'outcome-unknown':
      return decide('The server may already have this file. We can’t tell whether it does.')
    case 'part-damaged':
      return retry('A part arrives damaged each time it is sent.')
    case 'proxy-refused':
    case 'proxy-sign-in':
    case 'proxy-unsupported':
      return describeProxy(error, context.placeName)
    case 'ends-early':
    case 'final-mismatch':
    case 'range-not-answered':
      return describeBytes(error)
    case 'answer-unreadable':
    case 'refused-by-server':
    case 'web-page':
      return describeRefusal(error, context)
    case 'source-changed':
      return SOURCE_CHANGED
    case 'disk-full':
    case 'name-not-storable':
    case 'source-missing':
    case 'source-unreadable':
    case 'target-exists':
    case 'target-read-only':
    case 'target-unwritable':
      return describeGuard(error, context) ?? describeFile(error.code, context)
    case 'upload-lost':
      return startOver('The server discarded the unfinished upload (often a clean-up rule).', 'Upload again')
    default:
      return assertNever(error.code)
  }
}

/** What may be allowed in the settings of the system; null where none of them refuses. */
function describeGuard({ code, guard }: TransferErrorInfo, { name }: ErrorContext): ErrorWords | null {
  if (guard === undefined) return null
  const what = code === 'source-unreadable' ? `read ${name}` : `write to the folder of ${name}`
  return guard === 'macos'
    ? retry(`macOS doesn’t let Sluice ${what}. Allow it in System Settings > Privacy & Security > Files and Folders.`)
    : retry(`Windows doesn’t let Sluice ${what}. Check its permissions, and Controlled folder access.`)
}

/** What a disk, or a file on it, refuses. */
function describeFile(
  code:
    | 'disk-full'
    | 'name-not-storable'
    | 'source-missing'
    | 'source-unreadable'
    | 'target-exists'
    | 'target-read-only'
    | 'target-unwritable',
  { name, localPath }: ErrorContext,
): ErrorWords {
  switch (code) {
    case 'disk-full':
      return retry(`Not enough space for ${name}, or the disk takes no more files.`)
    case 'name-not-storable':
      return remove(`This computer can’t store the name “${name}”.`)
    case 'source-missing':
      return retry(`The file is no longer at ${localPath}.`)
    case 'source-unreadable':
      return retry(`Can’t read ${name}.`)
    case 'target-exists':
      return retry(`A file named ${name} is already there.`)
    case 'target-read-only':
      return retry(`The disk of ${name} is read-only now.`)
    case 'target-unwritable':
      return retry(`Can’t write to the folder of ${name}.`)
    default:
      return assertNever(code)
  }
}

/** A command's own address is not always known where its error is told. */
function bucketWords({ bucket }: ErrorContext): string {
  return bucket === '' ? 'of that name' : `named ${bucket}`
}

function describeBytes({ code }: TransferErrorInfo): ErrorWords {
  if (code === 'final-mismatch') return startOver('The finished copy doesn’t match the original.', 'Transfer again')
  if (code === 'range-not-answered') return retry('The server sent the wrong part of the file.')
  return retry('The server sends only the beginning of this file and ends at the same place each time.')
}

function describeDenial(error: TransferErrorInfo, { placeName, isLink }: ErrorContext): ErrorWords {
  return isLink === true
    ? relink(`${placeName} refused the link${statusOf(error)}. It may have expired.`)
    : editPlace(`${placeName} doesn’t allow this with the current key.`)
}

function describeGone(error: TransferErrorInfo, { placeName, isLink, isFolder }: ErrorContext): ErrorWords {
  if (error.code === 'place-removed') return remove('The place of this transfer was removed.')
  if (isLink === true) return relink(`${placeName} has nothing at this link${statusOf(error)}.`)
  return remove(
    isFolder === true ? 'There is nothing in this folder on the server.' : 'There is no such file on the server.',
  )
}

/** The status, where it says something to those who look after the link. */
function statusOf({ httpStatus }: TransferErrorInfo): string {
  return httpStatus === null ? '' : ` (${String(httpStatus)})`
}

/** The time given is over: what it was waited for, where that is known. */
function describeGivingUp({ waitCause }: TransferErrorInfo, { placeName }: ErrorContext): string {
  if (waitCause === undefined) return 'The server didn’t answer for a long time. Everything transferred is kept.'
  const { code, host, httpStatus } = waitCause
  if (code === 'web-page') return `${webPageWords(host ?? placeName)}.`
  return code === 'http-status'
    ? `The server answered only that it can’t now (${String(httpStatus)}).`
    : `Can’t reach ${host ?? placeName}: ${causeWords(waitCause)}.`
}

function describeNoHttps({ placeName, isLink }: ErrorContext): ErrorWords {
  const sentence = `${placeName} doesn’t speak https at this port, or only in a way that isn’t safe any more.`
  return isLink === true ? relink(sentence) : editPlace(sentence)
}

function describeProxy({ code, httpStatus }: TransferErrorInfo, placeName: string): ErrorWords {
  const action = { action: 'network', actionLabel: 'Network settings…' } as const
  if (code === 'proxy-sign-in') return { sentence: 'The proxy requires sign-in.', ...action }
  if (code === 'proxy-refused') return { sentence: `The proxy doesn’t allow connections to ${placeName}.`, ...action }
  const sentence =
    httpStatus === 407
      ? 'The proxy requires a kind of sign-in that Sluice doesn’t support, such as NTLM. Set another proxy.'
      : 'The system’s proxy is of a kind Sluice can’t use, such as SOCKS. Set an HTTP proxy.'
  return { sentence, ...action }
}

function describeKey(error: TransferErrorInfo, { placeName, isLink }: ErrorContext): ErrorWords {
  const { code, httpStatus, serviceCode } = error
  if (isLink === true) {
    return relink(`${placeName} refused the link${statusOf(error)}: it needs a sign-in, or it has expired.`)
  }
  if (code === 'keys-expired') return editPlace(`${placeName} says that the keys have expired.`)
  if (serviceCode === 'KeyringLocked') return editPlace(`The keyring with the key of ${placeName} can’t be opened now.`)
  // No answer at all: the request was never signed, because the secret is gone, or a profile gives none.
  return httpStatus === null
    ? editPlace(`The key for ${placeName} isn’t saved on this computer.`)
    : editPlace(`${placeName} didn’t accept the key.`)
}

/** What the place's settings would mend is told by the service's code, or ours. */
function describeRefusal(error: TransferErrorInfo, { placeName, isLink }: ErrorContext): ErrorWords {
  const { code, serviceCode } = error
  if (code === 'answer-unreadable') {
    return retry(`${placeName} gives answers that Sluice can’t read. What was transferred is kept.`)
  }
  if (code === 'web-page') {
    return relink(`${placeName} answers with a web page instead of this file. A browser shows what it wants.`)
  }
  if (isLink === true && serviceCode === REDIRECT) {
    return relink('The link leads in a circle, or on to an address that can’t be followed.')
  }
  if (isLink === true && (error.httpStatus ?? 400) < 300) {
    return relink(`${placeName} answered without any content${statusOf(error)}.`)
  }
  const words = serviceCode === null || isLink === true ? undefined : MISPLACED[serviceCode]
  return words === undefined ? retry('The server refused the request.') : editPlace(`${placeName} ${words}.`)
}

const REDIRECT = 'RedirectRefused'
const ELSEWHERE = 'expects a different region than its settings say'
const MISPLACED: Readonly<Record<string, string>> = {
  AuthorizationHeaderMalformed: ELSEWHERE,
  InvalidRegion: ELSEWHERE,
  [REDIRECT]: 'sends requests on to another address',
}

const retry = (sentence: string): ErrorWords => ({ sentence, action: 'retry', actionLabel: 'Retry' })
const decide = (sentence: string): ErrorWords => ({ sentence, action: 'decide', actionLabel: 'Decide…' })
const remove = (sentence: string): ErrorWords => ({ sentence, action: 'remove', actionLabel: 'Remove' })
const review = (sentence: string): ErrorWords => ({ sentence, action: 'review', actionLabel: 'Review…' })
const relink = (sentence: string, actionLabel = 'Paste new link…'): ErrorWords => ({
  sentence,
  action: 'relink',
  actionLabel,
})
const editPlace = (sentence: string): ErrorWords => ({ sentence, action: 'edit-place', actionLabel: 'Edit place…' })
const startOver = (sentence: string, actionLabel: string): ErrorWords => ({
  sentence,
  action: 'start-over',
  actionLabel,
})

const CERTIFICATE_UNTRUSTED: ErrorWords = {
  sentence: 'Your network or server uses a certificate this computer doesn’t trust.',
  action: 'certificate',
  actionLabel: 'Show certificate…',
}

const CHANGED_ON_SERVER = startOver(
  'The file changed on the server. What was downloaded is of the old version.',
  'Get new version',
)
const SOURCE_CHANGED = startOver(
  'The file changed since the upload began. Continuing keeps the parts that still match.',
  'Continue',
)

import { assertNever } from './assert.ts'
import type { TransferErrorInfo } from './transfer-error.ts'

/** What the one button beside an error does. */
export type ErrorAction = 'retry' | 'start-over' | 'remove' | 'relink' | 'review' | 'decide' | 'certificate' | 'network'

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
}

/** The error catalogue: cause to words and one action. Code and request id belong under Details, not here. */
export function describeError(error: TransferErrorInfo, context: ErrorContext): ErrorWords {
  switch (error.code) {
    case 'access-denied':
      return retry(`${context.placeName} doesn’t allow this with the current key.`)
    case 'another-object':
      return relink('The new link leads to another object. What was downloaded is kept.', 'Paste another link…')
    case 'certificate-untrusted':
      return CERTIFICATE_UNTRUSTED
    case 'changed-on-server':
      return startOver(
        'The object changed on the server. What was downloaded is of the old version.',
        'Get new version',
      )
    case 'clock-skew':
      return retry('This computer’s clock is off, so the server refuses requests.')
    case 'conflict-on-server':
      return decide('Someone else created this object meanwhile. Nothing was replaced.')
    case 'disk-full':
      return retry(`Not enough space for ${context.name}.`)
    case 'earlier-upload':
      return review('An earlier upload of this file is unfinished.')
    case 'feature-unavailable':
      return remove('This service doesn’t offer what this transfer needs.')
    case 'final-mismatch':
      return startOver('The finished copy doesn’t match its origin.', 'Transfer again')
    case 'gave-up-waiting':
      return retry('The server didn’t answer for a long time. Everything transferred is kept.')
    case 'internal':
      return retry('Something went wrong in the app. What was transferred is safe.')
    case 'invalid-argument':
      return remove('The server doesn’t accept this name or request.')
    case 'items-failed':
      return retry(`Not everything in ${context.name} was transferred.`)
    case 'key-not-accepted':
      return retry(describeKey(error, context.placeName))
    case 'link-expired':
      return relink('The link has expired. What was downloaded is kept.', 'Paste new link…')
    case 'name-not-storable':
      return remove(`This computer can’t store the name “${context.name}”.`)
    case 'no-such-bucket':
      return retry(`There is no bucket named ${context.bucket}.`)
    case 'no-such-key':
      return remove('The object is gone from the server.')
    case 'outcome-unknown':
      return decide('The server may already have this file. Nothing tells whether it does.')
    case 'part-damaged':
      return retry('A part arrives damaged each time it is sent.')
    case 'proxy-refused':
    case 'proxy-sign-in':
      return describeProxy(error.code, context.placeName)
    case 'range-not-answered':
      return retry('The server answered with other bytes than it was asked for.')
    case 'refused-by-server':
      return retry('The server refused the request.')
    case 'source-changed':
      return SOURCE_CHANGED
    case 'source-missing':
      return retry(`The file is no longer at ${context.localPath}.`)
    case 'source-unreadable':
      return retry(`Can’t read ${context.name}.`)
    case 'target-exists':
      return retry(`A file named ${context.name} is already there.`)
    case 'target-unwritable':
      return retry(`Can’t write to the folder of ${context.name}.`)
    case 'upload-lost':
      return startOver('The server discarded the unfinished upload (often a clean-up rule).', 'Upload again')
    default:
      return assertNever(error.code)
  }
}

function describeProxy(code: 'proxy-refused' | 'proxy-sign-in', placeName: string): ErrorWords {
  const sentence =
    code === 'proxy-sign-in' ? 'The proxy wants a sign-in.' : `The proxy doesn’t allow connections to ${placeName}.`
  return { sentence, action: 'network', actionLabel: 'Network settings…' }
}

function describeKey({ httpStatus }: TransferErrorInfo, placeName: string): string {
  // No answer at all: the request was never signed, because the secret is gone from this computer.
  return httpStatus === null
    ? `The key of ${placeName} isn’t on this computer any more. Enter it again with “Edit place…”.`
    : `${placeName} didn’t accept the key.`
}

const retry = (sentence: string): ErrorWords => ({ sentence, action: 'retry', actionLabel: 'Retry' })
const decide = (sentence: string): ErrorWords => ({ sentence, action: 'decide', actionLabel: 'Decide…' })
const remove = (sentence: string): ErrorWords => ({ sentence, action: 'remove', actionLabel: 'Remove' })
const review = (sentence: string): ErrorWords => ({ sentence, action: 'review', actionLabel: 'Review…' })
const relink = (sentence: string, actionLabel: string): ErrorWords => ({ sentence, action: 'relink', actionLabel })
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

const SOURCE_CHANGED = startOver(
  'The file changed since the upload began. Nothing was replaced on the server.',
  'Continue with the changed file',
)

import { joined } from '../../shared/language/joined.ts'
import { worded } from '../../shared/language/message.ts'
import { t } from '../../shared/language/translate.ts'
import { visibleSentence } from '../ui/overlays/visible-sentence.ts'
import type { LinkFacts } from '../../shared/ipc/link-requests.ts'
import { refusalWords } from '../../shared/transfer/words/error-words.ts'
import { visibleText } from '../../shared/visible-text.ts'
import { formatBytes } from '../words/format.ts'
import { Button } from '../ui/button.tsx'
import type { Resolved } from '../actions/links/resolve-links.ts'
import styles from './links-sheet.module.css'

export interface LinkRowProps {
  readonly link: string
  readonly resolved: Resolved | undefined
  /** Undefined while the server is being asked, or when there is none to ask. */
  readonly facts: LinkFacts | undefined
  /** Whether it won't be downloaded. */
  readonly isLeftOut: boolean
  readonly onShowCertificate: (origin: string) => void
}

/** The name, host and size of what a link leads to, or why there is nothing to download. */
export function LinkRow({ link, resolved, facts, isLeftOut, onShowCertificate }: LinkRowProps) {
  const { name, where, problem } = wordsOf(link, resolved, facts)
  const note = noteOf(facts)
  const untrusted = facts?.untrustedOrigin ?? null
  return (
    <li className={styles['item']}>
      <span className={styles['what']}>
        <span className={styles['name']}>{visibleText(name)}</span>
        {where !== '' && <span className={styles['where']}>{visibleSentence(where)}</span>}
        {note !== null && <span className={styles['where']}>{note}</span>}
        {problem !== null && (
          <span role="alert" className={styles['problem']}>
            {visibleSentence(problem)}
          </span>
        )}
      </span>
      {untrusted !== null && (
        <Button onPress={() => onShowCertificate(untrusted)}>{t('transfer.action.certificate')}</Button>
      )}
      <span className={styles['size']}>{isLeftOut ? t('downloads.link.left-out') : sizeWords(resolved, facts)}</span>
    </li>
  )
}

function wordsOf(link: string, resolved: Resolved | undefined, facts: LinkFacts | undefined) {
  if (resolved === undefined || resolved.kind === 'refused') {
    return { name: link, where: '', problem: resolved === undefined ? null : worded(resolved.reason) }
  }
  if (resolved.kind === 'no-place') {
    const problem = t('downloads.link.no-place', { bucket: resolved.bucket })
    return { name: lastSegment(resolved.key), where: `${resolved.bucket} / ${resolved.key}`, problem }
  }
  const [place] = resolved.places
  if (resolved.kind === 'folder') {
    const where = joined(place?.name ?? '', hostOf(place?.endpoint ?? ''), `${resolved.bucket} / ${resolved.prefix}`)
    return { name: lastSegment(resolved.prefix.slice(0, -1)), where, problem: null }
  }
  const { target } = resolved
  if (target.kind === 'link') {
    const host = joined(facts?.host ?? hostOf(target.url), signInOf(target.url), encryptionOf(target.url))
    return { name: facts?.name || lastSegment(pathOf(target.url)), where: host, problem: problemOf(facts) }
  }
  const host = facts?.host ?? hostOf(place?.endpoint ?? '')
  const where = joined(place?.name ?? '', host, `${target.bucket} / ${target.key}`)
  return { name: facts?.name ?? lastSegment(target.key), where, problem: problemOf(facts) }
}

function problemOf(facts: LinkFacts | undefined): string | null {
  return facts?.problem == null ? null : refusalWords(facts.problem)
}

/** A smaller download than this costs little to start over. */
const SMALL_BYTES = 10_000_000

function noteOf(facts: LinkFacts | undefined): string | null {
  const isSmall = (facts?.sizeBytes ?? SMALL_BYTES) < SMALL_BYTES
  return facts?.canContinue !== false || isSmall ? null : t('downloads.link.cannot-continue')
}

function sizeWords(resolved: Resolved | undefined, facts: LinkFacts | undefined): string {
  if (resolved?.kind === 'folder') return t('downloads.link.folder')
  if (resolved?.kind !== 'target') return ''
  if (facts === undefined) return t('downloads.link.asking')
  if (facts.problem !== null) return ''
  return facts.sizeBytes === null ? t('downloads.link.no-size') : formatBytes(facts.sizeBytes)
}

function lastSegment(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1)
}

/** The path of an address, without the query, which may be a signature. */
function pathOf(address: string): string {
  return URL.canParse(address) ? new URL(address).pathname : address
}

/** Says which user the link signs in as; never shows the password. */
function signInOf(address: string): string {
  const user = URL.canParse(address) ? new URL(address).username : ''
  return user === '' ? '' : t('downloads.link.signs-in', { user })
}

/** A note for links without encryption. Two links may differ in nothing else. */
function encryptionOf(address: string): string {
  return address.startsWith('http:') ? t('downloads.link.not-encrypted') : ''
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : ''
}

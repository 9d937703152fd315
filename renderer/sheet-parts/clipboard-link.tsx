import { useEffect, useState } from 'react'
import { t } from '../../shared/language/translate.ts'
import { request } from '../bridge.ts'
import { run } from '../state/ui/messages.ts'
import { Button } from '../ui/button.tsx'
import styles from './clipboard-link.module.css'

export interface ClipboardLinkProps {
  /** The text typed so far. */
  readonly text: string
  readonly onUse: (link: string) => void
}

/**
 * Offers the link that was on the clipboard when the sheet opened, unless it is typed already. It is never inserted
 * without asking, so that nothing typed is lost.
 */
export function ClipboardLink({ text, onUse }: ClipboardLinkProps) {
  const link = useLinkOnClipboard()
  if (link === null || text.split(/\s+/).includes(link)) return null
  return (
    <div className={styles['offer']}>
      <span className={styles['address']}>{withoutSecrets(link)}</span>
      <Button onPress={() => onUse(link)}>{t('downloads.use-clipboard')}</Button>
    </div>
  )
}

function useLinkOnClipboard(): string | null {
  const [link, setLink] = useState<string | null>(null)
  useEffect(() => {
    let isGone = false
    run(
      request('clipboard:link', null).then((found) => {
        if (!isGone) setLink(found)
      }),
    )
    return () => {
      isGone = true
    }
  }, [])
  return link
}

/** The link without its query, which may be a signature, and without its sign-in: neither is shown unless typed. */
function withoutSecrets(link: string): string {
  const { origin, pathname } = new URL(link)
  return origin + pathname
}

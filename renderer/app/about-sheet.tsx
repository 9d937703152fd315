import { useEffect, useState } from 'react'
import { request } from '../bridge.ts'
import { useApp } from '../state/app-store.ts'
import { run } from '../state/ui-store.ts'
import { Button } from '../ui/button.tsx'
import { Sheet, SheetButtons } from '../ui/sheet.tsx'
import styles from './about-sheet.module.css'

/** Which Sluice this is, and under which terms it and what it is made with come. */
export function AboutSheet({ onClose }: { readonly onClose: () => void }) {
  const version = useApp((state) => state.info?.version ?? '')
  const notices = useNotices()
  return (
    <Sheet title="About Sluice" width="wide" onClose={onClose}>
      <p className={styles['version']}>Version {version}</p>
      <p>Sluice moves big files in and out of object storage and never loses a byte of progress.</p>
      <p>© 2026 The Sluice authors. Free to use, change and share under the MIT License.</p>
      {notices === null && (
        <p className={styles['quiet']}>Sluice includes third-party software. Its notices are missing from this copy.</p>
      )}
      {typeof notices === 'string' && (
        <section aria-label="Third-party software">
          <h3 className={styles['title']}>Third-party software</h3>
          {/* What scrolls must be reached by the keyboard. */}
          {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <pre className={styles['notices']} tabIndex={0} aria-label="Notices">
            {notices}
          </pre>
        </section>
      )}
      <SheetButtons>
        <Button takesFocus look="solid" onPress={onClose}>
          Done
        </Button>
      </SheetButtons>
    </Sheet>
  )
}

/** Null: there are none; undefined: not read yet. */
function useNotices(): string | null | undefined {
  const [notices, setNotices] = useState<string | null>()
  useEffect(() => run(request('app:licences', null).then(setNotices)), [])
  return notices
}

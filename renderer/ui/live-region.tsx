import styles from './live-region.module.css'

/** Announces its text politely to screen readers, and shows nothing. */
export function LiveRegion({ text }: { readonly text: string }) {
  return (
    <div role="status" aria-live="polite" className={styles['hidden']}>
      {text}
    </div>
  )
}

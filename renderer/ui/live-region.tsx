import styles from './live-region.module.css'

/** Says its text to screen readers, politely, and shows nothing. */
export function LiveRegion({ text }: { readonly text: string }) {
  return (
    <div role="status" aria-live="polite" className={styles['hidden']}>
      {text}
    </div>
  )
}

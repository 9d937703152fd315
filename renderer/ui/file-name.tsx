import styles from './file-name.module.css'
import hidden from './unseen.module.css'

/** A name in one line, shortened in the middle, so that the extension stays; spoken in one. */
export function FileName({ name }: { readonly name: string }) {
  const tail = Math.max(name.length - 12, Math.ceil(name.length / 2))
  return (
    <span className={styles['name']}>
      <span className={hidden['unseen']}>{name}</span>
      <span aria-hidden className={styles['head']}>
        {name.slice(0, tail)}
      </span>
      <span aria-hidden className={styles['tail']}>
        {name.slice(tail)}
      </span>
    </span>
  )
}

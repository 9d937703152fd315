import { useMarquee, type MarqueeOptions } from './hooks/use-marquee.ts'
import styles from './marquee.module.css'

/** Lets a person select in a list by drawing a rectangle, which appears in the parent of the scroller. */
export function Marquee(options: MarqueeOptions) {
  const box = useMarquee(options)
  return box === null ? null : <div role="presentation" className={styles['marquee']} style={box} />
}

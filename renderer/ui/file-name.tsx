import { useEffect, useRef, useState } from 'react'
import styles from './file-name.module.css'
import { middleCut } from './middle-cut.ts'
import hidden from './unseen.module.css'

/** A name on one line, shortened in the middle if necessary, so that the extension stays. Screen readers get it all. */
export function FileName({ name }: { readonly name: string }) {
  const element = useRef<HTMLSpanElement>(null)
  const [room, setRoom] = useState<Room | null>(null)
  useEffect(() => {
    const current = element.current
    return current === null
      ? undefined
      : watchWidth(current, (widthPx) => {
          setRoom({ widthPx, font: getComputedStyle(current).font })
        })
  }, [])
  const shown = room === null ? name : middleCut(name, (text) => fits(text, room, text === name))
  return (
    <span ref={element} data-grip className={styles['name']}>
      {shown !== name && <span className={hidden['unseen']}>{name}</span>}
      <bdi aria-hidden={shown !== name} className={styles['shown']}>
        {shown}
      </bdi>
      {/* The whole name, which gives the line its width. */}
      <span aria-hidden data-name={name} className={styles['whole']} />
    </span>
  )
}

interface Room {
  readonly widthPx: number
  readonly font: string
}

/** Layout and canvas round differently. */
const ROUNDING_PX = 0.5

/** A whole name, which may give the line its width, always fits there. A shortened one must not be cut once more. */
function fits(text: string, { widthPx, font }: Room, isWhole: boolean): boolean {
  return widthOf(text, font) <= widthPx + (isWhole ? ROUNDING_PX : -ROUNDING_PX)
}

let pen: CanvasRenderingContext2D | null = null

function widthOf(text: string, font: string): number {
  pen ??= document.createElement('canvas').getContext('2d')
  if (pen === null) return 0
  if (pen.font !== font) pen.font = font
  return pen.measureText(text).width
}

const watched = new WeakMap<Element, (widthPx: number) => void>()
let observer: ResizeObserver | null = null

/** Watches the width of an element, with one observer for all names. Returns a function that stops this. */
function watchWidth(element: Element, onWidth: (widthPx: number) => void): () => void {
  observer ??= new ResizeObserver((entries) => {
    for (const { target, contentRect } of entries) watched.get(target)?.(contentRect.width)
  })
  watched.set(element, onWidth)
  observer.observe(element)
  return () => {
    watched.delete(element)
    observer?.unobserve(element)
  }
}

import { Fragment, type ReactNode } from 'react'
import type { MessageKey } from '../../shared/language/english.ts'
import { rich, type Values } from '../../shared/language/translate.ts'

export interface RichTextProps {
  readonly text: MessageKey
  /** What becomes of the words within a tag of the text: `<strong>…</strong>`. */
  readonly tags: Readonly<Record<string, (inside: ReactNode) => ReactNode>>
  readonly values?: Values
}

/** A text of the catalogue, parts of which look otherwise. */
export function RichText({ text, tags, values }: RichTextProps) {
  return rich<ReactNode>(text, tags, values).map((piece, index) => <Fragment key={index}>{piece}</Fragment>)
}

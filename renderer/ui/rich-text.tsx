import { Fragment, type ReactNode } from 'react'
import type { MessageKey } from '../../shared/language/english.ts'
import { rich, type Values } from '../../shared/language/translate.ts'

export interface RichTextProps {
  readonly text: MessageKey
  /** How to render the words within a tag of the text, such as `<strong>…</strong>`. */
  readonly tags: Readonly<Record<string, (inside: ReactNode) => ReactNode>>
  readonly values?: Values
}

/** A text of the catalog with differently styled parts. */
export function RichText({ text, tags, values }: RichTextProps) {
  return rich<ReactNode>(text, tags, values).map((piece, index) => <Fragment key={index}>{piece}</Fragment>)
}

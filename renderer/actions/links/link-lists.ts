// Dropped text files that hold links and nothing else: lists of links, and shortcuts to web pages.

import { parseLink, sourceLines } from '../../../shared/place/links.ts'

/** What is needed of a dropped file; the browser's `File` fits. */
export interface TextSource {
  readonly name: string
  /** The size in bytes. */
  readonly size: number
  text(): Promise<string>
}

const LIST = /\.(txt|text|urls?|links?)$/i
const SHORTCUT_LINE = /^URL=(.+)$/im

/** Room for a list of 1,000 links of the greatest usual length; a larger file is some other text. */
const MOST_BYTES = 2_097_152

/** Whether a file may be a list of links, judging by its name and size. Pure. */
export function mayListLinks({ name, size }: Pick<TextSource, 'name' | 'size'>): boolean {
  return LIST.test(name) && size > 0 && size <= MOST_BYTES
}

/**
 * The links in files that hold only links and comments. Empty if any file holds something else or can't be read; then
 * they are uploaded like other files.
 */
export async function listedLinks(files: readonly TextSource[]): Promise<readonly string[]> {
  if (files.length === 0 || !files.every(mayListLinks)) return []
  const texts = await Promise.all(files.map((file) => file.text())).catch(() => [])
  const lists = texts.map(linesOf)
  const isSound = lists.every((lines) => lines.length > 0 && lines.every((line) => parseLink(line) !== null))
  return isSound ? [...new Set(lists.flat())] : []
}

/** The lines of a list, or the one address in a Windows shortcut. */
function linesOf(text: string): readonly string[] {
  if (!/^\s*\[InternetShortcut\]/i.test(text)) return sourceLines(text.replace(/^\uFEFF/, ''))
  const address = SHORTCUT_LINE.exec(text)?.[1]?.trim()
  return address === undefined ? [] : [address]
}

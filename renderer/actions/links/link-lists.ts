// Dropped text files that hold links and nothing else: lists of links, and shortcuts to web pages.

import { parseLink, sourceLines } from '../../../shared/place/links.ts'

/** What a dropped file tells about itself; the browser's File is one. */
export interface TextSource {
  readonly name: string
  /** In bytes. */
  readonly size: number
  text(): Promise<string>
}

const LIST = /\.(txt|text|urls?|links?)$/i
const SHORTCUT_LINE = /^URL=(.+)$/im

/** A list of 1,000 links of the greatest length that is usual fits; more is a text to be read. */
const MOST_BYTES = 2_097_152

/** Whether a file may be a list of links, by its name and size. Pure. */
export function mayListLinks({ name, size }: Pick<TextSource, 'name' | 'size'>): boolean {
  return LIST.test(name) && size > 0 && size <= MOST_BYTES
}

/**
 * The links of files that hold nothing else but remarks; empty where any of them holds something else, or can't be read,
 * so that it is uploaded like any file.
 */
export async function listedLinks(files: readonly TextSource[]): Promise<readonly string[]> {
  if (files.length === 0 || !files.every(mayListLinks)) return []
  const texts = await Promise.all(files.map((file) => file.text())).catch(() => [])
  const lists = texts.map(linesOf)
  const isSound = lists.every((lines) => lines.length > 0 && lines.every((line) => parseLink(line) !== null))
  return isSound ? [...new Set(lists.flat())] : []
}

/** Lines of a list; of a shortcut as Windows writes it, its one address. */
function linesOf(text: string): readonly string[] {
  if (!/^\s*\[InternetShortcut\]/i.test(text)) return sourceLines(text.replace(/^\uFEFF/, ''))
  const address = SHORTCUT_LINE.exec(text)?.[1]?.trim()
  return address === undefined ? [] : [address]
}

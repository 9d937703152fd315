// The catalog of texts as its files have it.

import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser'

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'shared', 'language')

export interface Text {
  readonly language: string
  /** The file it is in, without `.json`. */
  readonly area: string
  readonly key: string
  readonly text: string
}

/** Every text of every language. */
export function texts(): readonly Text[] {
  return ['en', 'zh-CN'].flatMap((language) =>
    readdirSync(join(FOLDER, language)).flatMap((name) => {
      const read = JSON.parse(readFileSync(join(FOLDER, language, name), 'utf8')) as Record<string, string>
      return Object.entries(read).map(([key, text]) => ({ language, area: basename(name, '.json'), key, text }))
    }),
  )
}

/** The names of what a message is filled with, and of its tags, once each; every text is told the system. Throws where it can't be read. */
export function argumentsOf(message: string): readonly string[] {
  return [...new Set(namesIn(parse(message)))].filter((name) => name !== 'system').toSorted()
}

function namesIn(elements: readonly MessageFormatElement[]): readonly string[] {
  return elements.flatMap((element) => {
    switch (element.type) {
      case TYPE.literal:
      case TYPE.pound:
        return []
      case TYPE.tag:
        return [`<${element.value}>`, ...namesIn(element.children)]
      case TYPE.plural:
      case TYPE.select:
        return [element.value, ...Object.values(element.options).flatMap(({ value }) => namesIn(value))]
      default:
        return [element.value]
    }
  })
}

import { join } from 'node:path'
import type { Applied, CatalogueRecord } from './catalogue-records.ts'
import { Catalogue } from './catalogue.ts'
import { ContentFiles } from './content-files.ts'
import { Journal } from './journal.ts'

/** Catalogue and contents of one folder, durable together. */
export class Storage {
  readonly catalogue: Catalogue
  readonly contents: ContentFiles
  readonly #journal: Journal<CatalogueRecord, Applied>

  private constructor(catalogue: Catalogue, contents: ContentFiles, journal: Journal<CatalogueRecord, Applied>) {
    this.catalogue = catalogue
    this.contents = contents
    this.#journal = journal
  }

  static async open(directory: string): Promise<Storage> {
    const catalogue = new Catalogue()
    const contents = await ContentFiles.open(join(directory, 'content'))
    const journal = await Journal.open<CatalogueRecord, Applied>({
      path: join(directory, 'journal.jsonl'),
      apply: (record) => catalogue.apply(record),
      snapshot: () => catalogue.records(),
      beforeWrite: () => contents.sync(),
    })
    const referenced = new Set(catalogue.contentIds())
    contents.discard((await contents.ids()).filter((id) => !referenced.has(id)))
    return new Storage(catalogue, contents, journal)
  }

  /**
   * Makes a change durable, then visible. False when what it is about had gone or changed before its turn came.
   * Rejects, with nothing changed, when it could not be written.
   */
  async commit(record: CatalogueRecord): Promise<boolean> {
    const { applied, released } = await this.#journal.append(record)
    this.contents.discard(released)
    return applied
  }

  /** Like `commit`, for a record that brings in a new content: unless it was applied, the content is deleted. */
  async commitContent(record: CatalogueRecord, contentId: string): Promise<boolean> {
    let applied = false
    try {
      applied = await this.commit(record)
    } finally {
      if (!applied) this.contents.discard([contentId])
    }
    return applied
  }

  async close(): Promise<void> {
    await this.#journal.close()
    await this.contents.close()
  }
}

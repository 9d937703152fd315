import { join } from 'node:path'
import type { Applied, CatalogueRecord } from './catalogue-records.ts'
import { Catalogue } from './catalogue.ts'
import { ContentFiles } from './content-files.ts'
import { Journal } from './journal.ts'

/** Catalogue and contents of one folder, durable together. */
export class Storage {
  readonly catalogue: Catalogue
  readonly contents: ContentFiles
  /** The folder to which contents unknown to the journal were moved; null when there were none. */
  readonly movedAside: string | null
  readonly #journal: Journal<CatalogueRecord, Applied>

  private constructor(
    catalogue: Catalogue,
    contents: ContentFiles,
    movedAside: string | null,
    journal: Journal<CatalogueRecord, Applied>,
  ) {
    this.catalogue = catalogue
    this.contents = contents
    this.movedAside = movedAside
    this.#journal = journal
  }

  /** `nowMs` is since the epoch. Throws what `Journal.open` throws. */
  static async open(directory: string, nowMs: number): Promise<Storage> {
    const catalogue = new Catalogue()
    const contents = await ContentFiles.open(join(directory, 'content'))
    const released = new Set<string>()
    let isLoading = true
    const journal = await Journal.open<CatalogueRecord, Applied>({
      path: join(directory, 'journal.jsonl'),
      apply: (record) => {
        const outcome = catalogue.apply(record)
        if (isLoading) outcome.released.forEach((id) => released.add(id))
        return outcome
      },
      snapshot: () => catalogue.records(),
      beforeWrite: () => contents.sync(),
    })
    isLoading = false
    const time = new Date(nowMs).toISOString().replaceAll(':', '-')
    const aside = join(directory, `content-unreferenced-${time}`)
    const hasMoved = await contents.tidy(new Set(catalogue.contentIds()), released, aside)
    return new Storage(catalogue, contents, hasMoved ? aside : null, journal)
  }

  /**
   * Makes a change durable, then visible. Resolves to false when its subject was gone or had changed before its turn
   * came. Rejects, with nothing changed, when it could not be written.
   */
  async commit(record: CatalogueRecord): Promise<boolean> {
    const { applied, released } = await this.#journal.append(record)
    this.contents.discard(released)
    return applied
  }

  /** Like `commit`, for a record that introduces a new content, which is deleted unless the record was applied. */
  async commitContent(record: CatalogueRecord, contentId: string): Promise<boolean> {
    let applied = false
    try {
      await this.contents.keep(contentId)
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

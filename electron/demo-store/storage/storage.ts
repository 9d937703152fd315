import { join } from 'node:path'
import type { Applied, CatalogRecord } from './catalog-records.ts'
import { Catalog } from './catalog.ts'
import { ContentFiles } from './content-files.ts'
import { Journal } from './journal.ts'
import { Reserve } from './reserve.ts'

/** Catalog and contents of one folder, durable together. */
export class Storage {
  readonly catalog: Catalog
  readonly contents: ContentFiles
  /** The folder to which contents unknown to the journal were moved; null when there were none. */
  readonly movedAside: string | null
  readonly #journal: Journal<CatalogRecord, Applied>
  readonly #reserve: Reserve
  #filling: Promise<void> = Promise.resolve()

  private constructor(
    catalog: Catalog,
    contents: ContentFiles,
    movedAside: string | null,
    journal: Journal<CatalogRecord, Applied>,
    reserve: Reserve,
  ) {
    this.catalog = catalog
    this.contents = contents
    this.movedAside = movedAside
    this.#journal = journal
    this.#reserve = reserve
  }

  /** `nowMs` is since the epoch. Throws what `Journal.open` throws. */
  static async open(directory: string, nowMs: number): Promise<Storage> {
    const catalog = new Catalog()
    const contents = await ContentFiles.open(join(directory, 'content'))
    const reserve = new Reserve(join(directory, 'reserve'))
    const released = new Set<string>()
    let isLoading = true
    const journal = await Journal.open<CatalogRecord, Applied>({
      path: join(directory, 'journal.jsonl'),
      apply: (record) => {
        const outcome = catalog.apply(record)
        if (isLoading) outcome.released.forEach((id) => released.add(id))
        return outcome
      },
      snapshot: () => catalog.records(),
      beforeWrite: () => contents.sync(),
      freesSpace,
      makeRoom: () => reserve.release(),
    })
    isLoading = false
    const time = new Date(nowMs).toISOString().replaceAll(':', '-')
    const aside = join(directory, `content-unreferenced-${time}`)
    const hasMoved = await contents.tidy(new Set(catalog.contentIds()), released, aside)
    await reserve.fill()
    return new Storage(catalog, contents, hasMoved ? aside : null, journal, reserve)
  }

  /**
   * Makes a change durable, then visible. Resolves to false when its subject was gone or had changed before its turn
   * came. Rejects, with nothing changed, when it could not be written.
   */
  async commit(record: CatalogRecord): Promise<boolean> {
    const { applied, released } = await this.#journal.append(record)
    this.contents.discard(released)
    if (freesSpace(record)) this.#filling = this.#filling.then(() => this.#refill())
    return applied
  }

  /** Like `commit`, for a record that introduces a new content, which is deleted unless the record was applied. */
  async commitContent(record: CatalogRecord, contentId: string): Promise<boolean> {
    let applied = false
    try {
      await this.contents.keep(contentId)
      applied = await this.commit(record)
    } finally {
      if (!applied) this.contents.discard([contentId])
    }
    return applied
  }

  /** Takes up the reserve again with what was freed. */
  async #refill(): Promise<void> {
    await this.contents.deleted()
    await this.#reserve.fill()
  }

  async close(): Promise<void> {
    await this.#filling
    await this.#journal.close()
    await this.contents.close()
  }
}

/** Whether a record lets contents be deleted without any new ones. */
function freesSpace({ type }: CatalogRecord): boolean {
  return type === 'object-deleted' || type === 'upload-aborted'
}

import { randomUUID } from 'node:crypto'

/**
 * Hides the queries of links from the database of a command: it is given its link each time, so only this process needs
 * to know what a note in the database stands for. A note of an earlier run leads to the link without its query.
 */
export function createLinkMemory(): { seal(link: string): string; open(note: string): string | null } {
  const links = new Map<string, string>()
  return {
    seal(link) {
      const note = randomUUID()
      links.set(note, link)
      return note
    },
    open: (note) => links.get(note) ?? null,
  }
}

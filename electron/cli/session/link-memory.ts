import { randomUUID } from 'node:crypto'

/**
 * Keeps the queries of links out of a command's database. The command is given its link each time, so only this process
 * needs to know which link a note in the database stands for. A note of an earlier run can't be opened.
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

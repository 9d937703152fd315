import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const NAME = 'third-party.txt'

/**
 * The notices of the software that the app is made with: of a package in its folder of resources, of a build beside the
 * program. Null where neither has them.
 */
export async function readLicences(resources: string, program: string): Promise<string | null> {
  for (const folder of [resources, program]) {
    const text = await readFile(join(folder, NAME), 'utf8').catch(() => null)
    if (text !== null) return text
  }
  return null
}

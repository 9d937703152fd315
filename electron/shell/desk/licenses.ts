import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const NAME = 'third-party.txt'

/**
 * Returns the notices of the software that the app is made with: a package has them in its resources folder, a build
 * beside the program. Null when neither does.
 */
export async function readLicenses(resources: string, program: string): Promise<string | null> {
  for (const folder of [resources, program]) {
    const text = await readFile(join(folder, NAME), 'utf8').catch(() => null)
    if (text !== null) return text
  }
  return null
}

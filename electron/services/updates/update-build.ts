// Where this copy looks for newer versions, and whose signature counts, as set when it was built.

import { readFile } from 'node:fs/promises'
import { z } from 'zod'

export interface UpdateBuild {
  /** Ends in a slash. */
  readonly url: string
  /** Base64 of the public key that signs lists. */
  readonly key: string
  /** Whether the system lets a copy of this build replace itself: macOS wants it signed by a registered developer. */
  readonly replacesItself: boolean
}

const schema = z.strictObject({
  url: z.string().refine(isSafeAddress),
  key: z.string().min(1),
  replacesItself: z.boolean(),
  /** The download folder of electron-updater, which reads the same file. */
  updaterCacheDirName: z.string(),
})

/** Returns null when the build has no such file. Throws when it can't be read, because then the build is broken. */
export async function readUpdateBuild(path: string): Promise<UpdateBuild | null> {
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) return null
  const { url, key, replacesItself } = schema.parse(JSON.parse(text))
  return { url, key, replacesItself }
}

/** Only an address on this computer may do without TLS, as in tests. */
function isSafeAddress(url: string): boolean {
  if (!URL.canParse(url) || !url.endsWith('/')) return false
  const { protocol, hostname, search, username } = new URL(url)
  const isLocal = protocol === 'http:' && ['127.0.0.1', '[::1]'].includes(hostname)
  return (protocol === 'https:' || isLocal) && search === '' && username === ''
}

// Where this copy was told at its build to look for newer versions, and whose signature counts.

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
  /** For electron-updater, which reads the same file: the folder of what it downloads. */
  updaterCacheDirName: z.string(),
})

/** Null where the build has none. Throws where it has one that can't be read: that build is broken. */
export async function readUpdateBuild(path: string): Promise<UpdateBuild | null> {
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) return null
  const { url, key, replacesItself } = schema.parse(JSON.parse(text))
  return { url, key, replacesItself }
}

/** On this computer alone an address may go without TLS, as in tests. */
function isSafeAddress(url: string): boolean {
  if (!URL.canParse(url) || !url.endsWith('/')) return false
  const { protocol, hostname, search, username } = new URL(url)
  const isLocal = protocol === 'http:' && ['127.0.0.1', '[::1]'].includes(hostname)
  return (protocol === 'https:' || isLocal) && search === '' && username === ''
}

import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root folder of the checkout. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

/** A path inside the checkout. */
export function inRoot(...parts) {
  return join(root, ...parts)
}

/** The folder in which downloads are kept for all checkouts of this user. */
export function cacheFolder() {
  const { platform, env } = process
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'sluice', 'Cache')
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'sluice')
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'sluice')
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Variables that the release workflow sets for electron-builder, for signing and notarizing. */
const VARIABLES = [
  ...['CSC_LINK', 'CSC_KEY_PASSWORD', 'WIN_CSC_LINK', 'WIN_CSC_KEY_PASSWORD'],
  ...['APPLE_API_KEY', 'APPLE_API_KEY_ID', 'APPLE_API_ISSUER'],
]

/** Whether there is a certificate of a registered developer. Without one, macOS doesn't let a copy replace itself. */
export function signsForMac(environment) {
  return Boolean(environment.CSC_LINK || environment.CSC_NAME)
}

/** Whether there is a certificate for Windows. Without a specific one, electron-builder uses the general one. */
export function signsForWindows(environment) {
  return Boolean(environment.WIN_CSC_LINK || environment.CSC_LINK)
}

/**
 * Runs `work` with `environment` adjusted for electron-builder. In a workflow, an unset secret is an empty string,
 * which electron-builder would take for the path of a certificate; and Apple's key is the text of a .p8 file, but
 * notarytool wants a path. That file is readable only by its owner, and removed when the work has ended.
 */
export async function withSigning(environment, work) {
  for (const name of VARIABLES) if (environment[name] === '') delete environment[name]
  const key = environment.APPLE_API_KEY
  if (!key?.includes('-----BEGIN ')) return work()
  const folder = await mkdtemp(join(tmpdir(), 'sluice-signing-'))
  try {
    const file = join(folder, 'key.p8')
    await writeFile(file, key, { mode: 0o600 })
    environment.APPLE_API_KEY = file
    return await work()
  } finally {
    environment.APPLE_API_KEY = key
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

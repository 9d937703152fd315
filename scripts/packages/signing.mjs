import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What the release's workflow gives electron-builder to sign and to notarize with. */
const VARIABLES = [
  ...['CSC_LINK', 'CSC_KEY_PASSWORD', 'WIN_CSC_LINK', 'WIN_CSC_KEY_PASSWORD'],
  ...['APPLE_API_KEY', 'APPLE_API_KEY_ID', 'APPLE_API_ISSUER'],
]

/** Whether there is a certificate of a registered developer. Without one macOS lets no copy replace itself. */
export function signsForMac(environment) {
  return Boolean(environment.CSC_LINK || environment.CSC_NAME)
}

/** Whether there is a certificate to sign for Windows with; electron-builder takes the general one where there is no other. */
export function signsForWindows(environment) {
  return Boolean(environment.WIN_CSC_LINK || environment.CSC_LINK)
}

/**
 * Runs `work`, and meanwhile `environment` holds what electron-builder understands. In a workflow a secret that is not set
 * is an empty text, which it would take for the path of a certificate; and Apple's key is the text of a .p8 file, where
 * notarytool wants the path of one. That file is readable by its owner alone, and gone when the work has ended.
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

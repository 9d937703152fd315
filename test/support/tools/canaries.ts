import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A secret that is found again wherever it was written. Its characters are others once it is percent-encoded. */
export function canary(name: string): string {
  return `${name}/${randomUUID()}+`
}

/**
 * Where the files below the folders show which secrets, `<name of the secret> in <path>`: as they are, percent-encoded
 * or within Base64. `seen` gets each path that was looked at, as proof that there was something to look at.
 */
export async function findCanaries(
  secrets: Readonly<Record<string, string>>,
  folders: readonly string[],
  seen: string[] = [],
): Promise<readonly string[]> {
  const found: string[] = []
  for (const folder of folders) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    for (const { parentPath, name } of entries.filter((entry) => entry.isFile())) {
      const path = join(parentPath, name)
      // A file of a program that runs may go at any time.
      const content = await readFile(path, 'latin1').catch(() => '')
      seen.push(path)
      found.push(...hasCanary(secrets, content).map((each) => `${each} in ${path}`))
    }
  }
  return found
}

/** The names of the secrets that a text shows in one of these forms. Pure. */
export function hasCanary(secrets: Readonly<Record<string, string>>, text: string): readonly string[] {
  // One pass for all forms of a secret: texts may be files of many megabytes.
  return Object.keys(secrets).filter((name) => {
    const forms = formsOf(secrets[name] ?? '').map((form) => form.replaceAll(/\W/g, '\\$&'))
    return new RegExp(forms.join('|')).test(text)
  })
}

function formsOf(secret: string): readonly string[] {
  const encoded = encodeURIComponent(secret)
  const texts = [secret, encoded, encoded.toLowerCase(), Buffer.from(secret, 'utf16le').toString('latin1')]
  return [...texts, ...[secret, encoded].flatMap((text) => [0, 1, 2].flatMap((at) => withinBase64(text, at)))]
}

/** What of the Base64 of a longer text is certain, where the secret begins so many bytes after a group of three. */
function withinBase64(secret: string, at: number): readonly string[] {
  const bytes = Buffer.concat([Buffer.alloc(at), Buffer.from(secret)])
  const whole = bytes.subarray(at === 0 ? 0 : 3, bytes.length - (bytes.length % 3))
  return [whole.toString('base64'), whole.toString('base64url')]
}

import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { AwsProfile } from '../../../shared/place/place.ts'

type Environment = Readonly<Record<string, string | undefined>>
type Section = ReadonlyMap<string, string>

/** The profiles of `~/.aws/config` and `~/.aws/credentials` that can give keys, by name. A file that is not there is empty. */
export async function readProfiles(environment: Environment = process.env): Promise<readonly AwsProfile[]> {
  const folder = join(homedir(), '.aws')
  const files = [
    environment['AWS_CONFIG_FILE'] ?? join(folder, 'config'),
    environment['AWS_SHARED_CREDENTIALS_FILE'] ?? join(folder, 'credentials'),
  ]
  const [config = '', credentials = ''] = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')))
  return listProfiles(config, credentials)
}

/** The profiles that these two files describe and that can give keys. Pure. */
export function listProfiles(config: string, credentials: string): readonly AwsProfile[] {
  const profiles = new Map<string, Map<string, string>>()
  const add = (name: string, section: Section) => {
    profiles.set(name, new Map([...(profiles.get(name) ?? []), ...section]))
  }
  // All but the default one are called "profile …" in this file, where other things have sections, too.
  for (const [title, section] of sections(config)) {
    const name = title === 'default' ? title : /^profile\s+(.+)$/.exec(title)?.[1]
    if (name !== undefined) add(unquoted(name), section)
  }
  for (const [title, section] of sections(credentials)) add(title, section)
  return [...profiles]
    .flatMap(([name, section]) => {
      const kind = kindOf(section)
      return kind === null ? [] : [{ name, kind, region: section.get('region') ?? '' }]
    })
    .sort((one, other) => one.name.localeCompare(other.name))
}

function kindOf(section: Section): AwsProfile['kind'] | null {
  if (section.has('role_arn')) return 'role'
  if (section.has('sso_session') || section.has('sso_start_url')) return 'sso'
  if (section.has('credential_process')) return 'process'
  return section.has('aws_access_key_id') ? 'keys' : null
}

/** `[title]` and `name = value` lines; indented ones belong to a value before and are skipped. */
function* sections(text: string): Generator<readonly [title: string, section: Section]> {
  for (const block of text.split(/^(?=\[)/m)) {
    const title = /^\[([^\]\n]+)\]/.exec(block)?.[1]?.trim()
    if (title === undefined) continue
    const pairs = [...block.matchAll(/^(\w+)[ \t]*=[ \t]*(.*?)[ \t\r]*$/gm)]
    yield [title, new Map(pairs.map(([, name = '', value = '']) => [name.toLowerCase(), value]))]
  }
}

function unquoted(name: string): string {
  return name.trim().replace(/^"(.*)"$/, '$1')
}

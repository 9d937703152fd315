import { compareNames } from '../../../../shared/name-order.ts'
import type { AwsProfile } from '../../../../shared/place/place.ts'

type Section = Readonly<Record<string, string | undefined>>

/**
 * Returns the profiles of `~/.aws/config` and `~/.aws/credentials` that can give keys, by name, as AWS's own library
 * reads them: a profile that it can't read could not be used either. A missing file counts as empty. AWS_CONFIG_FILE
 * and AWS_SHARED_CREDENTIALS_FILE name other files.
 */
export async function readProfiles(files: ProfileFiles = {}): Promise<readonly AwsProfile[]> {
  // Few need the library, and the files may change while the app runs.
  const { parseKnownFiles } = await import('@smithy/core/config')
  const sections = await parseKnownFiles({ ...files, ignoreCache: true })
  return Object.entries(sections)
    .flatMap(([name, section]) => {
      const kind = OTHER_SECTION.test(name) ? null : kindOf(section)
      return kind === null
        ? []
        : [{ name, kind, region: section['region'] ?? '', endpoint: endpointOf(section, sections) }]
    })
    .sort((one, other) => compareNames(one.name, other.name))
}

/** What AWS's tools go by: the address for S3 in the `services` that the profile names, else the one for all services. */
function endpointOf(section: Section, sections: Readonly<Record<string, Section>>): string {
  const services = sections[`services.${section['services'] ?? ''}`]
  return services?.['s3.endpoint_url'] ?? section['endpoint_url'] ?? ''
}

export interface ProfileFiles {
  /** Absolute path of the credentials file. */
  readonly filepath?: string
  /** Absolute path of the config file. */
  readonly configFilepath?: string
}

/** Sections of the config file that are not profiles, as the library names them. */
const OTHER_SECTION = /^(sso-session|services)\./

function kindOf(section: Section): AwsProfile['kind'] | null {
  if (section['role_arn'] !== undefined) return 'role'
  if (section['sso_session'] !== undefined || section['sso_start_url'] !== undefined) return 'sso'
  if (section['credential_process'] !== undefined) return 'process'
  return section['aws_access_key_id'] === undefined ? null : 'keys'
}

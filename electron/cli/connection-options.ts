import type { SignatureMethod, StoreDialect } from '../../shared/place/place.ts'
import { variableOf, type FROM_ENVIRONMENT } from './manual/variables.ts'
import { oneOf, UsageError } from './usage-error.ts'

/** How to reach the service. A member is null when neither options nor environment give it. */
export interface ConnectionOptions {
  /** Null with s3: the profile tells, or else it is Amazon. */
  readonly endpoint: string | null
  readonly bucket: string | null
  readonly dialect: StoreDialect
  readonly accessKeyId: string | null
  readonly secretAccessKey: string | null
  /** Accompanies keys that expire (s3). */
  readonly sessionToken: string | null
  /** A profile in ~/.aws that holds the keys (s3). */
  readonly profile: string | null
  /** Empty: the endpoint or the service determines it. */
  readonly region: string
  readonly pathStyle: boolean | null
  readonly scheme: string
  readonly signature: SignatureMethod | null
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Reads the connection from options and environment. Throws UsageError. Pure. */
export function connectionOptions(values: ConnectionValues, environment: Environment): ConnectionOptions {
  const given = (name: GivenName): string | null => values[name] ?? environment[variableOf(name)] ?? null
  const pathStyle = environment[variableOf('path-style')]
  const dialect = oneOf<StoreDialect>(given('dialect') ?? 'storage', 'dialect', ['storage', 's3'])
  const aws: Environment = dialect === 's3' ? environment : {}
  const region =
    given('region') ?? aws['AWS_REGION'] ?? aws['AWS_DEFAULT_REGION'] ?? (dialect === 's3' ? '' : 'us-east-1')
  return {
    endpoint: given('endpoint') ?? aws['AWS_ENDPOINT_URL_S3'] ?? aws['AWS_ENDPOINT_URL'] ?? null,
    bucket: given('bucket'),
    dialect,
    ...keyOptions(values, given, aws),
    region,
    pathStyle: values['path-style'] ?? (pathStyle === undefined ? null : pathStyle !== '0' && pathStyle !== 'false'),
    scheme: given('scheme') ?? 'STORAGE',
    signature: signatureOption(given('signature') ?? undefined),
  }
}

type ConnectionValues = { readonly [Name in GivenName | 'secret-key-file']?: string } & {
  readonly 'path-style'?: boolean
}
type GivenName = Exclude<(typeof FROM_ENVIRONMENT)[number], 'path-style' | 'state-dir'>

/**
 * Options win over variables, those over what the environment holds for other tools, and keys over a profile that is
 * given in the same way.
 */
function keyOptions(
  values: ConnectionValues,
  given: (name: 'access-key' | 'secret-key' | 'profile') => string | null,
  aws: Environment,
): Pick<ConnectionOptions, 'accessKeyId' | 'secretAccessKey' | 'sessionToken' | 'profile'> {
  const [accessKeyId, secretAccessKey] = [sentText(given('access-key')), keyText(given('secret-key'))]
  const profile = given('profile')
  const none = { accessKeyId: null, secretAccessKey: null, sessionToken: null, profile: null }
  const hasKeyOption = KEY_OPTIONS.some((name) => values[name] !== undefined)
  if (values.profile !== undefined && !hasKeyOption) return { ...none, profile }
  if (accessKeyId !== null || secretAccessKey !== null) return { ...none, accessKeyId, secretAccessKey }
  if (profile !== null) return { ...none, profile }
  if (aws['AWS_ACCESS_KEY_ID'] === undefined) return { ...none, profile: aws['AWS_PROFILE'] ?? null }
  return {
    ...none,
    accessKeyId: sentText(aws['AWS_ACCESS_KEY_ID']),
    secretAccessKey: keyText(aws['AWS_SECRET_ACCESS_KEY']),
    sessionToken: sentText(aws['AWS_SESSION_TOKEN']),
  }
}

const KEY_OPTIONS = ['access-key', 'secret-key', 'secret-key-file'] as const

/** A key without the white space that a file or the clipboard adds. */
export function keyText(value: string | null | undefined): string | null {
  return value?.trim() ?? null
}

/** The same for a text that is sent in a header. Throws a UsageError that doesn't repeat the text. */
function sentText(value: string | null | undefined): string | null {
  const text = keyText(value)
  if (text !== null && !/^[\x20-\x7e]*$/.test(text)) throw new UsageError('The key has a character that no key has.')
  return text
}

function signatureOption(value: string | undefined): SignatureMethod | null {
  return value === undefined ? null : oneOf<SignatureMethod>(value, 'signature', ['hmac-sha1', 'hmac-sha256', 'none'])
}

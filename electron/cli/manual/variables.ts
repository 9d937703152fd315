// What commands read from the environment.

import type { OptionName } from './option-table.ts'

/** Options that a variable can stand for. */
export const FROM_ENVIRONMENT = [
  ...(['endpoint', 'bucket', 'dialect', 'access-key', 'secret-key', 'region', 'profile'] as const),
  ...(['scheme', 'signature', 'path-style', 'state-dir'] as const),
] satisfies readonly OptionName[]

/** The variable that stands for an option. Pure. */
export function variableOf(name: (typeof FROM_ENVIRONMENT)[number]): string {
  return `SLUICE_${name.toUpperCase().replaceAll('-', '_')}`
}

/** Names, and what they are for. */
export const VARIABLES = [
  [FROM_ENVIRONMENT.map(variableOf).join(', '), 'stand for the options of those names; 0 or false: no path style'],
  [
    'AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_PROFILE',
    'with --dialect s3: the keys, or the profile that has them, where no others are given',
  ],
  ['AWS_REGION, AWS_DEFAULT_REGION', 'with --dialect s3: the region where no other is given; the first that is set'],
  [
    'AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL',
    'with --dialect s3: the address where no other is given; the first that is set',
  ],
  ['AWS_CONFIG_FILE, AWS_SHARED_CREDENTIALS_FILE', 'the files that have the profiles, in place of those in ~/.aws'],
  ['XDG_STATE_HOME', 'where the folder is that commands continue from, in place of ~/.local/state'],
  ['SLUICE_HANG_UP', 'ignored: go on when the terminal is closed; nohup sets it by itself'],
  ['HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY', 'the proxies'],
  ['SSL_CERT_FILE, NODE_EXTRA_CA_CERTS, AWS_CA_BUNDLE', 'files of certificates to trust, beside the system’s'],
] as const

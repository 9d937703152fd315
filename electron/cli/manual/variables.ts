// The environment variables that commands read.

import type { OptionName } from './option-table.ts'

/** Options that a variable can supply. */
export const FROM_ENVIRONMENT = [
  ...(['endpoint', 'bucket', 'dialect', 'access-key', 'secret-key', 'region', 'profile'] as const),
  ...(['scheme', 'signature', 'path-style', 'state-dir'] as const),
] satisfies readonly OptionName[]

/** The variable that supplies an option. Pure. */
export function variableOf(name: (typeof FROM_ENVIRONMENT)[number]): string {
  return `SLUICE_${name.toUpperCase().replaceAll('-', '_')}`
}

/** Names of variables and what they are for. */
export const VARIABLES = [
  [FROM_ENVIRONMENT.map(variableOf).join(', '), 'stand for the options of those names; 0 or false: no path style'],
  [
    'AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_PROFILE',
    'with --dialect s3: the keys, or the profile that holds them, if no others are given',
  ],
  [
    'AWS_REGION, AWS_DEFAULT_REGION',
    'with --dialect s3: the region if no other is given; the first that is set counts',
  ],
  [
    'AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL',
    'with --dialect s3: the address if no other is given; the first that is set counts',
  ],
  ['AWS_CONFIG_FILE, AWS_SHARED_CREDENTIALS_FILE', 'the files that hold the profiles, in place of those in ~/.aws'],
  ['XDG_STATE_HOME', 'the parent of the folder that commands continue from, in place of ~/.local/state'],
  ['SLUICE_HANG_UP', 'if it is “ignored”, commands go on when the terminal is closed; set by itself under nohup'],
  ['HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY', 'the proxies'],
  [
    'SSL_CERT_FILE, NODE_EXTRA_CA_CERTS, AWS_CA_BUNDLE',
    'files of certificates to trust: the first in place of the system’s, the others in addition',
  ],
] as const

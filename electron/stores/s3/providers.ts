import { MAX_PART_COUNT, MIB } from '../../../shared/limits.ts'

/** What is particular about one provider's S3, as data. */
export interface ProviderFacts {
  /** If-Match, If-None-Match and If-Unmodified-Since are honoured on GetObject. */
  readonly ifMatch: boolean
  /** Part and single-put ETags are MD5s, multipart ETags are MD5 of MD5s. */
  readonly etagIsMd5: boolean
  /** Every part but the last has at least this. */
  readonly minPartBytes: number
  readonly maxPartCount: number
  /** `If-None-Match: *` is honoured. */
  readonly ifAbsent: { readonly put: boolean; readonly complete: boolean }
  /** Complete takes `x-amz-mp-object-size`. */
  readonly checksSizeAtComplete: boolean
  /** GetObject and HeadObject take `x-amz-checksum-mode`. */
  readonly givesChecksums: boolean
  /** Over plain http the SHA-256 of a body has to be signed; elsewhere its signed Content-MD5 is enough. */
  readonly signsBodiesOverHttp: boolean
}

const MIN_PART_BYTES = 5 * MIB

/** What every service that calls itself compatible can be trusted with. */
const GENERIC: ProviderFacts = {
  ifMatch: true,
  etagIsMd5: true,
  minPartBytes: MIN_PART_BYTES,
  maxPartCount: MAX_PART_COUNT,
  ifAbsent: { put: false, complete: false },
  checksSizeAtComplete: false,
  givesChecksums: false,
  signsBodiesOverHttp: false,
}

const EVERYWHERE = { put: true, complete: true }

/** The providers that are known, by name. */
export const PROVIDERS = {
  aws: {
    ...GENERIC,
    ifAbsent: EVERYWHERE,
    checksSizeAtComplete: true,
    givesChecksums: true,
    signsBodiesOverHttp: true,
  },
  generic: GENERIC,
} as const satisfies Record<string, ProviderFacts>

/** What is known about the provider behind an endpoint. */
export function factsOf(endpoint: string): ProviderFacts {
  const host = URL.canParse(endpoint) ? new URL(endpoint).hostname : ''
  return /(^|\.)amazonaws\.com(\.cn)?$/.test(host) ? PROVIDERS.aws : PROVIDERS.generic
}

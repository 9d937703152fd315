import { MAX_PART_COUNT, MIB } from '../../../shared/limits.ts'
import { MD5_WANTED_CODE } from '../../../shared/service-codes.ts'
import type { HttpResponse } from '../http/exchange.ts'

/** The particulars of one provider's S3, as data. */
export interface ProviderFacts {
  /** GetObject honors If-Match, If-None-Match and If-Unmodified-Since. */
  readonly ifMatch: boolean
  /** ETags of parts and single puts are MD5s. */
  readonly etagIsMd5: boolean
  /** Multipart ETags are certainly MD5s of MD5s. Elsewhere they may be, or tell nothing. */
  readonly multipartEtagIsMd5: boolean
  /** Every part but the last has at least this size. */
  readonly minPartBytes: number
  readonly maxPartCount: number
  /** `If-None-Match: *` is honored; `copy` is the name of the header that says so of a copy's key. */
  readonly ifAbsent: { readonly put: boolean; readonly complete: boolean; readonly copy?: string }
  /** The header by which a copy is made only if the original still has an ETag. */
  readonly copyIfMatchHeader: string
  /** Bodies are accepted only with their Content-MD5. */
  readonly wantsContentMd5: boolean
  /** Complete accepts `x-amz-mp-object-size`. */
  readonly checksSizeAtComplete: boolean
  /** The service has DeleteObjects. */
  readonly deletesMany: boolean
  /** GetObject and HeadObject accept `x-amz-checksum-mode`. */
  readonly givesChecksums: boolean
  /** The service has GetObjectAttributes. */
  readonly listsObjectParts: boolean
  /** ListMultipartUploads takes any prefix. On MinIO, by whatever name, only a whole key finds its uploads. */
  readonly listsUploadsByPrefix: boolean
  /** Over plain http the SHA-256 of a body must be signed. */
  readonly signsBodiesOverHttp: boolean
}

interface Provider {
  /** The end of the provider's host names; left out when people run it under names of their own. */
  readonly host?: RegExp
  /** The response header that identifies the provider. */
  readonly response?: { readonly header: string; readonly value: RegExp }
  /** Where the provider differs from `GENERIC`. */
  readonly facts: Partial<ProviderFacts>
}

/** What every service that calls itself compatible can be trusted with. */
export const GENERIC: ProviderFacts = {
  ifMatch: true,
  etagIsMd5: true,
  multipartEtagIsMd5: false,
  minPartBytes: 5 * MIB,
  maxPartCount: MAX_PART_COUNT,
  ifAbsent: { put: false, complete: false },
  copyIfMatchHeader: 'x-amz-copy-source-if-match',
  wantsContentMd5: false,
  checksSizeAtComplete: false,
  deletesMany: true,
  givesChecksums: false,
  listsObjectParts: false,
  listsUploadsByPrefix: false,
  signsBodiesOverHttp: false,
}

/**
 * The known providers. Sources: their documentation of S3 compatibility, rclone's table of quirks, and for Ceph a
 * gateway of version 16. Where these disagree, the answer that demands less of the service is used.
 */
export const PROVIDERS: Readonly<Record<string, Provider>> = {
  aws: {
    host: /\.amazonaws\.com(\.cn)?$/,
    facts: {
      multipartEtagIsMd5: true,
      ifAbsent: { put: true, complete: true, copy: 'if-none-match' },
      checksSizeAtComplete: true,
      givesChecksums: true,
      listsObjectParts: true,
      listsUploadsByPrefix: true,
      signsBodiesOverHttp: true,
    },
  },
  ceph: {
    response: { header: 'x-amz-request-id', value: /^tx[\da-f]{21}-/ },
    // Versions without checksums ignore the header.
    facts: {
      multipartEtagIsMd5: true,
      ifAbsent: { put: true, complete: false },
      copyIfMatchHeader: 'x-amz-copy-if-match',
      givesChecksums: true,
      listsUploadsByPrefix: true,
    },
  },
  minio: {
    response: { header: 'server', value: /^MinIO/ },
    facts: { multipartEtagIsMd5: true, ifAbsent: { put: true, complete: false }, givesChecksums: true },
  },
  // Objects from before June 2023 have random multipart ETags and can't be told apart from others.
  r2: {
    host: /\.r2\.cloudflarestorage\.com$/,
    facts: {
      etagIsMd5: false,
      ifAbsent: { put: true, complete: false, copy: 'cf-copy-destination-if-none-match' },
      givesChecksums: true,
    },
  },
  b2: { host: /\.backblazeb2\.com$/, facts: {} },
  // ETags of composite objects are not hashes; the service sends x-goog-hash.
  gcs: { host: /(^|\.)storage\.googleapis\.com$/, facts: { etagIsMd5: false, deletesMany: false } },
  wasabi: { host: /\.wasabisys\.com$/, facts: { multipartEtagIsMd5: true } },
  digitalocean: { host: /\.digitaloceanspaces\.com$/, facts: { multipartEtagIsMd5: true } },
  scaleway: { host: /\.scw\.cloud$/, facts: { multipartEtagIsMd5: true, maxPartCount: 1000 } },
  // Parts are stored as segments there, and smaller ones cost as much as full ones.
  storj: { host: /(^|\.)storjshare\.io$/, facts: { multipartEtagIsMd5: true, minPartBytes: 64 * MIB } },
}

/** What is known about one service, judging by its host name first and then by its responses. */
export interface KnownProvider {
  readonly facts: ProviderFacts
  learn(response: Pick<HttpResponse, 'headers'>): void
  /** Learns from a refused request that a bucket wants Content-MD5: no earlier response tells. */
  learnRefusal(code: string): void
}

/** Starts with what the endpoint, an http or https address, tells about the service. */
export function getToKnow(endpoint: string): KnownProvider {
  const hostname = `.${new URL(endpoint).hostname}`
  const named = Object.values(PROVIDERS).find(({ host }) => host?.test(hostname) === true)
  let facts: ProviderFacts = { ...GENERIC, ...named?.facts }
  let isNamed = named !== undefined
  return {
    get facts() {
      return facts
    },
    learn({ headers }) {
      if (!isNamed) {
        const found = Object.values(PROVIDERS).find(
          ({ response }) => response?.value.test(headers.get(response.header) ?? '') === true,
        )
        isNamed = found !== undefined
        facts = { ...facts, ...found?.facts }
      }
      // ETags of objects encrypted with keys that others hold are not MD5s.
      const isOpaque =
        headers.get('x-amz-server-side-encryption')?.startsWith('aws:kms') === true ||
        headers.has('x-amz-server-side-encryption-customer-algorithm')
      if (isOpaque && facts.etagIsMd5) facts = { ...facts, etagIsMd5: false }
    },
    learnRefusal(code) {
      if (code === MD5_WANTED_CODE) facts = { ...facts, wantsContentMd5: true }
    },
  }
}

import { MAX_PART_COUNT, MIB } from '../../../shared/limits.ts'
import { MD5_WANTED_CODE } from '../../../shared/service-codes.ts'
import type { HttpResponse } from '../http/exchange.ts'

/** What is particular about one provider's S3, as data. */
export interface ProviderFacts {
  /** If-Match, If-None-Match and If-Unmodified-Since are honoured on GetObject. */
  readonly ifMatch: boolean
  /** Part and single-put ETags are MD5s. */
  readonly etagIsMd5: boolean
  /** Multipart ETags are MD5 of MD5s for certain. Elsewhere they may be, or tell nothing. */
  readonly multipartEtagIsMd5: boolean
  /** Every part but the last has at least this. */
  readonly minPartBytes: number
  readonly maxPartCount: number
  /** `If-None-Match: *` is honoured. */
  readonly ifAbsent: { readonly put: boolean; readonly complete: boolean }
  /** Bodies are taken only with their Content-MD5. */
  readonly wantsContentMd5: boolean
  /** Complete takes `x-amz-mp-object-size`. */
  readonly checksSizeAtComplete: boolean
  /** There is DeleteObjects. */
  readonly deletesMany: boolean
  /** GetObject and HeadObject take `x-amz-checksum-mode`. */
  readonly givesChecksums: boolean
  /** There is GetObjectAttributes. */
  readonly listsObjectParts: boolean
  /** Over plain http the SHA-256 of a body has to be signed. */
  readonly signsBodiesOverHttp: boolean
}

interface Provider {
  /** The end of its host names; left out: people run it under names of their own. */
  readonly host?: RegExp
  /** What gives it away in a response's headers. */
  readonly response?: { readonly header: string; readonly value: RegExp }
  /** Where it differs from `GENERIC`. */
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
  wantsContentMd5: false,
  checksSizeAtComplete: false,
  deletesMany: true,
  givesChecksums: false,
  listsObjectParts: false,
  signsBodiesOverHttp: false,
}

/**
 * The providers that are known. Sources: their documentation of S3 compatibility, rclone's table of quirks, and for
 * Ceph a gateway of version 16. Where they disagree, the answer that asks less of the service.
 */
export const PROVIDERS: Readonly<Record<string, Provider>> = {
  aws: {
    host: /\.amazonaws\.com(\.cn)?$/,
    facts: {
      multipartEtagIsMd5: true,
      ifAbsent: { put: true, complete: true },
      checksSizeAtComplete: true,
      givesChecksums: true,
      listsObjectParts: true,
      signsBodiesOverHttp: true,
    },
  },
  ceph: {
    response: { header: 'x-amz-request-id', value: /^tx[\da-f]{21}-/ },
    // Versions without checksums take no notice of the question.
    facts: { multipartEtagIsMd5: true, ifAbsent: { put: true, complete: false }, givesChecksums: true },
  },
  minio: {
    response: { header: 'server', value: /^MinIO/ },
    facts: { multipartEtagIsMd5: true, ifAbsent: { put: true, complete: false }, givesChecksums: true },
  },
  // Objects from before June 2023 have random multipart ETags, and nothing tells them apart.
  r2: {
    host: /\.r2\.cloudflarestorage\.com$/,
    facts: { etagIsMd5: false, ifAbsent: { put: true, complete: false }, givesChecksums: true },
  },
  b2: { host: /\.backblazeb2\.com$/, facts: {} },
  // Its composite ETags are no hashes; it sends x-goog-hash.
  gcs: { host: /(^|\.)storage\.googleapis\.com$/, facts: { etagIsMd5: false, deletesMany: false } },
  wasabi: { host: /\.wasabisys\.com$/, facts: { multipartEtagIsMd5: true } },
  digitalocean: { host: /\.digitaloceanspaces\.com$/, facts: { multipartEtagIsMd5: true } },
  scaleway: { host: /\.scw\.cloud$/, facts: { multipartEtagIsMd5: true, maxPartCount: 1000 } },
  // Parts are segments there, and smaller ones cost as much as whole ones.
  storj: { host: /(^|\.)storjshare\.io$/, facts: { multipartEtagIsMd5: true, minPartBytes: 64 * MIB } },
}

/** What is known about one service, its host's name first and then its responses telling. */
export interface KnownProvider {
  readonly facts: ProviderFacts
  learn(response: Pick<HttpResponse, 'headers'>): void
  /** It has refused a request for that. Buckets that lock objects by default do, and no response tells it before. */
  learnRefusal(code: string): void
}

/** Begins to know the service behind an endpoint, an http or https address. */
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
      // ETags of what is encrypted with keys that others hold are no MD5s.
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

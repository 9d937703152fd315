import { MAX_PART_COUNT, MIN_PART_SIZE_BYTES } from '../../../shared/limits.ts'
import { createConnectionPools } from '../http/connection-pools.ts'
import { readContent, readHeadOfContent } from '../messages/content.ts'
import { formatCondition, formatRange } from '../messages/header-values.ts'
import { presentHeaders } from '../messages/store-request.ts'
import { pageOfServer, unlessPage } from '../messages/web-page.ts'
import type { Network } from '../network/network.ts'
import type { GetObjectRequest, ObjectStore } from '../port/object-store.ts'
import { STORE_ERROR, StoreError } from '../port/store-error.ts'
import { FoundAddress } from './found-address.ts'
import { basicAuthorization, type LinkSignIn } from './link-sign-in.ts'

/**
 * A single http or https link as a read-only store; keys are ignored. Redirects are followed as `FoundAddress` says. The
 * link's query may be a signature and appears in no message. The sign-in goes only to the origin of the link, never to
 * one that it redirects to. Throws a StoreError InvalidArgument for anything that is not such a link.
 */
export function createUrlStore(link: string, network?: Network, signIn: LinkSignIn | null = null): ObjectStore {
  const url = parseLink(link)
  const pools = createConnectionPools(network)
  const authorization = signIn === null ? null : basicAuthorization(signIn)
  const found = new FoundAddress({ poolOf: pools.of, link: url, authorization })
  // Over https, only the server itself can have sent the response, because its certificate vouches for it.
  const pageError = url.protocol === 'https:' ? pageOfServer : undefined
  return {
    bucket: '',
    host: url.origin,
    capabilities: {
      ifMatch: true,
      etagIsMd5: false,
      minPartSizeBytes: MIN_PART_SIZE_BYTES,
      maxPartCount: MAX_PART_COUNT,
    },
    getObject: async (request) => {
      const hasVersion = request.ifMatch !== undefined || request.ifUnmodifiedSince !== undefined
      const response = await found.get(headersOf(request), request)
      const wanted = { name: url.pathname, hasVersion, version: request.version }
      return readContent(await unlessPage(response, wanted, pageError))
    },
    // Links are often signed for GET only.
    headObject: async ({ signal }) =>
      readHeadOfContent(await found.look(headersOf({ range: { start: 0, end: 1 } }), signal)),
    putObject: readOnly,
    createMultipartUpload: readOnly,
    uploadPart: readOnly,
    listParts: readOnly,
    listMultipartUploads: readOnly,
    completeMultipartUpload: readOnly,
    abortMultipartUpload: readOnly,
    listObjects: readOnly,
    deleteObject: readOnly,
    close: pools.close,
    dropConnections: pools.destroyAll,
  }
}

function parseLink(link: string): URL {
  const url = URL.canParse(link) ? new URL(link) : null
  if (url !== null && /^https?:$/.test(url.protocol)) return url
  throw new StoreError('InvalidArgument', 'The link is not an http or https address', { maybeProcessed: false })
}

function headersOf(request: Omit<GetObjectRequest, 'key' | 'signal'>): Readonly<Record<string, string>> {
  const { range, ifModifiedSince, ifMatch, ifUnmodifiedSince } = request
  return presentHeaders({
    'accept-encoding': 'identity',
    // Asks proxies to leave the bytes as they are (RFC 9111, 5.2.1.6).
    'cache-control': 'no-transform',
    range: range === undefined ? undefined : formatRange(range),
    'if-modified-since': ifModifiedSince,
    'if-match': formatCondition(ifMatch),
    'if-unmodified-since': ifUnmodifiedSince,
  })
}

function readOnly(): Promise<never> {
  return Promise.reject(
    new StoreError(STORE_ERROR.notImplemented, 'A link can only be downloaded', { maybeProcessed: false }),
  )
}

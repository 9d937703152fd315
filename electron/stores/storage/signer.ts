import { createHmac } from 'node:crypto'
import type { SignatureMethod } from '../../../shared/place.ts'
import { canonicalString, type SignedRequest } from '../../../shared/storage-signature.ts'
import type { Credentials } from '../store-connection.ts'

/** What a signature needs besides the secret. */
export interface SignableRequest extends Omit<SignedRequest, 'date'> {
  readonly dateMs: number
}

export type Signer = (request: SignableRequest, credentials: Credentials | null) => Readonly<Record<string, string>>

/**
 * Headers that authenticate a request: `<SCHEME> <ACCESS_KEY_ID>:<SIGNATURE>` and the Date it covers (service
 * document: Authentication; dialect: Signature). Without credentials or with method `none`, the Date alone.
 */
export function createSigner(method: SignatureMethod, scheme: string): Signer {
  return (request, credentials) => {
    const date = new Date(request.dateMs).toUTCString()
    if (method === 'none' || credentials === null) return { date }
    const signature = createHmac(method === 'hmac-sha1' ? 'sha1' : 'sha256', credentials.secretAccessKey)
      .update(canonicalString({ ...request, date }), 'utf8')
      .digest('base64')
    return { date, authorization: `${scheme} ${credentials.accessKeyId}:${signature}` }
  }
}

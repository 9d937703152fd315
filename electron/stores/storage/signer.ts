import { createHmac } from 'node:crypto'
import type { SignatureMethod } from '../../../shared/place/place.ts'
import { canonicalString, type SignedRequest } from '../../../shared/place/storage-signature.ts'
import type { Credentials } from '../port/store-connection.ts'

/** What a signature needs besides the secret. */
export interface SignableRequest extends Omit<SignedRequest, 'date'> {
  readonly dateMs: number
}

export type Signer = (request: SignableRequest, credentials: Credentials | null) => Readonly<Record<string, string>>

/** Returns the signature of a text in base64. */
export function signText(
  method: Exclude<SignatureMethod, 'none'>,
  { secretAccessKey }: Pick<Credentials, 'secretAccessKey'>,
  text: string,
): string {
  return createHmac(method === 'hmac-sha1' ? 'sha1' : 'sha256', secretAccessKey)
    .update(text, 'utf8')
    .digest('base64')
}

/**
 * Returns the headers that authenticate a request: `<SCHEME> <ACCESS_KEY_ID>:<SIGNATURE>` and the Date it covers
 * (docs/dialect.md, Signature). Without credentials or with method `none`, returns only the Date.
 */
export function createSigner(method: SignatureMethod, scheme: string): Signer {
  return (request, credentials) => {
    const date = new Date(request.dateMs).toUTCString()
    if (method === 'none' || credentials === null) return { date }
    const signature = signText(method, credentials, canonicalString({ ...request, date }))
    return { date, authorization: `${scheme} ${credentials.accessKeyId}:${signature}` }
  }
}

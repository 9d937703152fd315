import { Buffer } from 'node:buffer'
import { ServiceError } from './service-error.ts'

/**
 * Returns the MD5 that a Content-MD5 header promises; null without one. Throws InvalidDigest unless the header is 16
 * bytes in base64.
 */
export function promisedMd5(header: string | string[] | undefined): Buffer | null {
  if (header === undefined) return null
  if (typeof header !== 'string' || !/^[A-Za-z0-9+/]{22}==$/.test(header)) {
    throw new ServiceError('InvalidDigest', 'The Content-MD5 header is not 16 bytes in base64.')
  }
  return Buffer.from(header, 'base64')
}

/** Throws InvalidDigest when the body's MD5 differs from the promised one. */
export function checkMd5(promised: Buffer | null, actual: Buffer): void {
  if (promised !== null && !promised.equals(actual)) {
    throw new ServiceError('InvalidDigest', 'The Content-MD5 header differs from the MD5 of the body.')
  }
}

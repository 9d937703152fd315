// Certificates that a person adds: read from a file, or shown by a server and confirmed.

import { X509Certificate } from 'node:crypto'
import type { CertificateFacts, InspectedServer } from '../../../shared/ipc/network-requests.ts'
import { inspectCertificate } from '../../stores/http/inspect-certificate.ts'
import { readAuthorities } from '../../stores/network/authorities.ts'
import type { Route } from '../../stores/network/network.ts'
import { RequestError } from '../requests/request-error.ts'
import { serverAddress } from './routes.ts'
import type { MessageKey } from '../../../shared/language/english.ts'
import { message } from '../../../shared/language/message.ts'

const INSPECT_TIMEOUT_MS = 15_000

const UNKNOWN_ISSUER = 'services.certificate.unknown-issuer'
/** Problems of a certificate that a person may decide to accept, by Node's error code. */
const TRUSTABLE: Readonly<Record<string, MessageKey>> = {
  CERT_HAS_EXPIRED: 'services.certificate.expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'services.certificate.self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_ISSUER,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_ISSUER,
}
const OTHER_PROBLEMS: Readonly<Record<string, MessageKey>> = {
  CERT_NOT_YET_VALID: 'services.certificate.not-yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'services.certificate.other-name',
}

/** A certificate that was added, and the facts that the window shows about it. */
export interface AddedAuthority {
  readonly pem: string
  readonly certificate: CertificateFacts
}

/** Reads the certificates of a file, PEM or DER. Throws RequestError when it holds none. */
export async function authoritiesOfFile(path: string): Promise<readonly AddedAuthority[]> {
  try {
    const found = await readAuthorities(path)
    return found.map((pem) => ({ pem, certificate: factsOf(new X509Certificate(pem)) }))
  } catch {
    throw new RequestError(message('services.certificate.none-in-file'))
  }
}

/** Fetches a server's certificate without sending a request. Throws RequestError when the server shows none. */
export async function inspectServer(origin: string, route: Route): Promise<InspectedServer> {
  const address = serverAddress(origin)
  const signal = AbortSignal.timeout(INSPECT_TIMEOUT_MS)
  const { certificate, problem } = await inspectCertificate(origin, route, signal).catch((failure: unknown) => {
    const isSlow = signal.aborted || !(failure instanceof Error)
    throw new RequestError(
      isSlow ? message('services.certificate.none-shown', { host: address.host }) : `${failure.message}.`,
    )
  })
  return { ...address, certificate: factsOf(certificate), ...verdictOf(problem) }
}

function verdictOf(code: string | null): Pick<InspectedServer, 'problem' | 'canBeTrusted'> {
  if (code === null) return { problem: null, canBeTrusted: false }
  const trustable = TRUSTABLE[code]
  const known = trustable ?? OTHER_PROBLEMS[code]
  const problem = known === undefined ? message('services.certificate.other', { code }) : message(known)
  return { problem, canBeTrusted: trustable !== undefined }
}

function factsOf(certificate: X509Certificate): CertificateFacts {
  const { subject, issuer, fingerprint256, validFrom, validTo } = certificate
  const oneLine = (name: string): string => name.split('\n').join(', ')
  return { subject: oneLine(subject), issuer: oneLine(issuer), fingerprint: fingerprint256, validFrom, validTo }
}

import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import * as tls from 'node:tls'

/** Where Linux distributions and BSDs keep the certificates that the system trusts, in Go's search order. */
const SYSTEM_BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/tls/cacert.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

/** Newer versions of Node have this function, for each operating system. */
type ListCertificates = (type: 'system') => readonly string[]

const { getCACertificates: LIST = () => [] } = tls as { readonly getCACertificates?: ListCertificates }

/**
 * Returns, as PEM, the certificates that the system trusts and Node does not ship; empty when they can't be determined.
 * `list` is Node's own function, which reads the certificate stores of Windows and macOS.
 */
export async function systemAuthorities(
  bundles: readonly string[] = SYSTEM_BUNDLES,
  list = LIST,
): Promise<readonly string[]> {
  const listed = listedBy(list)
  return beyondNode(listed.length > 0 ? listed : await firstBundle(bundles))
}

function listedBy(list: ListCertificates): readonly string[] {
  try {
    return list('system')
  } catch {
    // A build of Node may have the function but not what it depends on.
    return []
  }
}

async function firstBundle(paths: readonly string[]): Promise<readonly string[]> {
  for (const path of paths) {
    const text = await readFile(path, 'utf8').catch(() => '')
    const found = certificatesIn(text)
    if (found.length > 0) return found
  }
  return []
}

/** Splits a PEM file into its certificates. */
function certificatesIn(text: string): readonly string[] {
  return text.match(/-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g) ?? []
}

/**
 * Returns the certificates of a PEM or DER file as PEM. Parses only the first of several: parsing a system's whole list
 * takes as long as making a connection. Throws what reading the file throws, and an Error when it holds no certificate.
 */
export async function readAuthorities(path: string): Promise<readonly string[]> {
  const bytes = await readFile(path)
  const found = certificatesIn(bytes.toString('latin1'))
  // Throws when this is not a certificate.
  const first = new X509Certificate(found[0] ?? bytes)
  return found.length > 0 ? found : [first.toString()]
}

/** Leaves out certificates that Node trusts anyway, because parsing them takes time. */
function beyondNode(certificates: readonly string[]): readonly string[] {
  const known = new Set(tls.rootCertificates.map(withoutBlanks))
  return [...new Map(certificates.map((pem) => [withoutBlanks(pem), pem]))]
    .filter(([text]) => !known.has(text))
    .map(([, pem]) => pem)
}

function withoutBlanks(pem: string): string {
  return pem.replace(/\s/g, '')
}

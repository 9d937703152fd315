import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import * as tls from 'node:tls'

/** Where Linux distributions and BSDs keep what the system trusts, in the order in which Go looks for it. */
const SYSTEM_BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/tls/cacert.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

/** Newer versions of Node have it, for each kind of system. */
type ListCertificates = (type: 'system') => readonly string[]

const { getCACertificates: LIST = () => [] } = tls as { readonly getCACertificates?: ListCertificates }

/**
 * The certificates that the system trusts and Node does not bring along, PEM; none where it can't be told. `list` is
 * Node's own, which knows the stores of Windows and macOS.
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
    // A build of Node may have the function, and not what it asks.
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

/** The certificates of a PEM file, each by itself. */
function certificatesIn(text: string): readonly string[] {
  return text.match(/-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g) ?? []
}

/**
 * The certificates of a file, PEM or DER, as PEM. Of several only the first is looked at: that takes as long as a
 * connection when it is a system's whole list. Throws what reading throws, and an Error when it holds none.
 */
export async function readAuthorities(path: string): Promise<readonly string[]> {
  const bytes = await readFile(path)
  const found = certificatesIn(bytes.toString('latin1'))
  // Throws for what is no certificate.
  const first = new X509Certificate(found[0] ?? bytes)
  return found.length > 0 ? found : [first.toString()]
}

/** Leaves out what Node trusts anyway: reading certificates takes time. */
function beyondNode(certificates: readonly string[]): readonly string[] {
  const known = new Set(tls.rootCertificates.map(withoutBlanks))
  return [...new Map(certificates.map((pem) => [withoutBlanks(pem), pem]))]
    .filter(([text]) => !known.has(text))
    .map(([, pem]) => pem)
}

function withoutBlanks(pem: string): string {
  return pem.replace(/\s/g, '')
}

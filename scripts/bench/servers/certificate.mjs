import { join } from 'node:path'
import { capture } from '../../lib/child.mjs'

/** Makes a self-signed certificate for 127.0.0.1, for one run. Null without openssl. */
export async function makeCertificate(folder) {
  const certificate = { keyFile: join(folder, 'server.key'), certFile: join(folder, 'server.crt') }
  const { code } = await capture('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
    ...['-keyout', certificate.keyFile, '-out', certificate.certFile],
  ])
  return code === 0 ? certificate : null
}

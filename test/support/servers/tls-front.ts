import * as net from 'node:net'
import * as tls from 'node:tls'
import { listenUntilTestEnds } from './scripted-server.ts'

/**
 * Lets a plain service be reached by TLS, with a certificate of the tests; ends with the test. @returns its base URL.
 */
export async function startTlsFront(
  endpoint: string,
  certificate: { readonly key: string; readonly cert: string },
): Promise<string> {
  const { hostname, port } = new URL(endpoint)
  const server = tls.createServer(certificate, (client) => {
    const onward = net.connect({ host: hostname, port: Number(port) })
    for (const [one, other] of [[client, onward] as const, [onward, client] as const]) {
      one.on('error', () => undefined).once('close', () => other.destroy())
      one.pipe(other)
    }
  })
  // A client that doesn't like the certificate goes away in the handshake.
  server.on('tlsClientError', () => undefined)
  return listenUntilTestEnds(server, 'https')
}

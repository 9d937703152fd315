import * as net from 'node:net'
import type { SecureVersion, TlsOptions } from 'node:tls'
import * as tls from 'node:tls'
import { expect, test } from 'vitest'
import { classify } from '../../../electron/engine/index.ts'
import { networkError } from '../../../electron/stores/http/wire/network-error.ts'
import { createTrust } from '../../../electron/stores/network/trust.ts'
import { MIB } from '../../../shared/limits.ts'
import { CERTIFICATES } from '../../support/servers/certificates.ts'
import { listenUntilTestEnds } from '../../support/servers/scripted-server.ts'
import { bodyOf, openStore, signal } from '../support/open-store.ts'

const VERSIONS: readonly SecureVersion[] = ['TLSv1.2', 'TLSv1.3']
const NOTHING_SENT = { wasSent: false, hasReceived: false }
const SENT = { wasSent: true, hasReceived: false }

/** A TLS server that takes everything and says nothing. */
async function startSink(options: TlsOptions): Promise<string> {
  const server = tls.createServer({ ...CERTIFICATES.good, ...options }, (socket) => {
    socket.on('error', () => undefined).resume()
  })
  server.on('tlsClientError', () => undefined)
  return listenUntilTestEnds(server, 'https')
}

/** Hands on what is sent to `endpoint`, with one bit wrong once `afterBytes` have passed. */
async function startDamaging(endpoint: string, afterBytes: number): Promise<string> {
  const server = net.createServer((client) => {
    const onward = net.connect(Number(new URL(endpoint).port), '127.0.0.1')
    let passedBytes = 0
    client.on('data', (bytes: Buffer) => {
      const isNow = passedBytes <= afterBytes && passedBytes + bytes.length > afterBytes
      passedBytes += bytes.length
      if (isNow) bytes[bytes.length >> 1] = bytes.readUInt8(bytes.length >> 1) ^ 1
      if (onward.write(bytes)) return
      client.pause()
      onward.once('drain', () => client.resume())
    })
    onward.pipe(client)
    for (const [one, other] of [[client, onward] as const, [onward, client] as const]) {
      one.on('error', () => undefined).once('close', () => other.destroy())
    }
  })
  return listenUntilTestEnds(server, 'https')
}

async function failureOfPut(endpoint: string, sizeBytes: number): Promise<unknown> {
  const route = { proxy: null, trust: createTrust([CERTIFICATES.good.cert]) }
  const store = openStore(endpoint, { network: { routeTo: () => route } })
  const body = bodyOf(Buffer.alloc(sizeBytes))
  return store.uploadPart({ key: 'k', uploadId: 'u', partNumber: 1, body, signal }).then(
    () => null,
    (error: unknown) => error,
  )
}

test.each(VERSIONS)('sends a part again of which a record was damaged on its way, with %s', async (version) => {
  const endpoint = await startDamaging(await startSink({ maxVersion: version }), MIB)
  const failure = await failureOfPut(endpoint, 8 * MIB)
  expect(failure).toMatchObject({ code: 'NetworkError', maybeProcessed: true })
  expect(classify(failure)).toMatchObject({ kind: 'wait', reason: 'network', cause: { code: 'connection-lost' } })
})

test('stops where a server wants a certificate of the client', async () => {
  // By TLS 1.3 it says so when the body is on its way already, and the connection may break first.
  const failure = await failureOfPut(await startSink({ maxVersion: 'TLSv1.2', requestCert: true }), 1)
  expect(classify(failure)).toMatchObject({ kind: 'stop', error: { info: { code: 'no-https' } } })
})

test.each([
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', NOTHING_SENT],
  ['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', NOTHING_SENT],
  ['ERR_SSL_TLSV1_UNRECOGNIZED_NAME', NOTHING_SENT],
  ['ERR_SSL_WRONG_VERSION_NUMBER', NOTHING_SENT],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', SENT],
])('takes %s for a refusal', (code, reached) => {
  expect(networkError(failing(code), 'store', reached).code).toBe('NoSecureConnection')
  // The same server took this client before.
  expect(networkError(failing(code), 'store', { ...reached, hasReceived: true }).code).toBe('NetworkError')
})

test.each([
  ['ERR_SSL_SSLV3_ALERT_BAD_RECORD_MAC', SENT],
  ['ERR_SSL_SSLV3_ALERT_BAD_RECORD_MAC', NOTHING_SENT],
  ['ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', NOTHING_SENT],
  ['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', NOTHING_SENT],
  ['ERR_SSL_WRONG_VERSION_NUMBER', SENT],
])('takes %s for a connection that broke', (code, reached) => {
  expect(networkError(failing(code), 'store', reached).code).toBe('NetworkError')
})

test('reads an alert also from the message of a write that failed', () => {
  const write = (alert: string) =>
    Object.assign(new Error(`write EPROTO 80:error:0A000410:SSL routines:ssl3_read_bytes:${alert}:`), {
      code: 'EPROTO',
    })
  expect(networkError(write('sslv3 alert handshake failure'), 'store', SENT).code).toBe('NoSecureConnection')
  expect(networkError(write('sslv3 alert bad record mac'), 'store', SENT).code).toBe('NetworkError')
})

function failing(code: string): Error {
  return Object.assign(new Error(code), { code })
}

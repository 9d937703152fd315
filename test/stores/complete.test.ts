import { expect, test } from 'vitest'
import { startFaultProxy } from '../support/fault-server/fault-server.ts'
import { startRaw, startScript, type ScriptedResponse } from '../support/servers/scripted-server.ts'
import { openStore, signal } from './support/open-store.ts'

const request = { key: 'a/k', uploadId: 'u', parts: [{ partNumber: 1, etag: 'e' }], signal }
const complete = async (response: ScriptedResponse) => {
  const { endpoint } = await startScript([response])
  return openStore(endpoint).completeMultipartUpload(request)
}

test.each([
  ['everything', '{"Location":"http://h/a/k","Bucket":"demo","Key":"a/k","ETag":"\\"e-1\\""}', 'http://h/a/k'],
  ['an ETag alone', '{"ETag":"e-1"}', null],
  ['white space before', ' \n\r\n  {"ETag":"e-1"}', null],
])('succeeds with %s', async (_what, body, location) => {
  expect(await complete({ status: 200, body, headers: { 'x-storage-request-id': 'r' } })).toEqual({
    etag: 'e-1',
    location,
    requestId: 'r',
  })
})

test.each([
  '',
  '   ',
  '{"Location":"http://h/a/k","ETag":"e-',
  '{}',
  '{"ETag":""}',
  '{"ETag":7}',
  '{"ETag":"e-1","Key":"other"}',
  '[{"ETag":"e-1"}]',
  '<CompleteMultipartUploadResult/>',
])('leaves the outcome open after 200 with %j', async (body) => {
  await expect(complete({ status: 200, body })).rejects.toMatchObject({
    code: 'BadAnswer',
    httpStatus: 200,
    maybeProcessed: true,
  })
})

test.each([
  '{"Error":{"Code":"InternalError","Message":"again"}}',
  '   {"Code":"InternalError"}',
  '<Error><Code>InternalError</Code></Error>',
])('finds the error in a 200 with %j', async (body) => {
  await expect(complete({ status: 200, body })).rejects.toMatchObject({
    code: 'InternalError',
    httpStatus: 200,
    maybeProcessed: true,
  })
})

test.each([
  [400, 'InvalidPart', false],
  [404, 'NoSuchUpload', false],
  [500, 'InternalError', true],
  [503, 'SlowDown', true],
])('a %i %s leaves the outcome open: %s', async (status, code, maybeProcessed) => {
  const body = `{"Error":{"Code":"${code}"}}`
  await expect(complete({ status, body })).rejects.toMatchObject({ code, httpStatus: status, maybeProcessed })
})

test.each([404, 502, 504])('a bare %i leaves the outcome open', async (status) => {
  await expect(complete({ status, body: '<html>' })).rejects.toMatchObject({
    code: 'UnnamedError',
    httpStatus: status,
    maybeProcessed: true,
  })
})

test('leaves the outcome open when the response is lost, and asks only once', async () => {
  const target = await startScript([{ status: 200, body: '{"ETag":"e-1"}' }])
  const proxy = await startFaultProxy({ target: target.endpoint, rules: [{ fault: { kind: 'drop-response' } }] })
  await expect(openStore(proxy.endpoint).completeMultipartUpload(request)).rejects.toMatchObject({
    code: 'NetworkError',
    httpStatus: null,
    maybeProcessed: true,
  })
  expect(target.requests.length).toBe(1)
  await proxy.close()
})

test('leaves the outcome open when the response breaks off', async () => {
  const { endpoint } = await startRaw((socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{"ETag":')),
  )
  await expect(openStore(endpoint).completeMultipartUpload(request)).rejects.toMatchObject({
    code: 'NetworkError',
    maybeProcessed: true,
  })
})

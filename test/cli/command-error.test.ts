import { expect, it } from 'vitest'
import { commandErrorOf, commandErrorOfFailure } from '../../electron/cli/command-error.ts'
import { TransferError } from '../../electron/engine/core/transfer-error.ts'
import type { TransferErrorInfo } from '../../shared/transfer/transfer-error.ts'

const unreadable: TransferErrorInfo = {
  code: 'answer-unreadable',
  detail: 'CreateMultipartUpload returned 200 with an unexpected body',
  serviceCode: 'BadAnswer',
  httpStatus: 200,
  requestId: 'r-7',
}
const subject = { name: 'film.mov', bucket: 'media', localPath: 'film.mov', host: null }

it.each([
  ['r-7', ' (CreateMultipartUpload returned 200 with an unexpected body, request r-7)'],
  [null, ' (CreateMultipartUpload returned 200 with an unexpected body)'],
])('says which response could not be read, and the name that the service gave it: %s', (requestId, words) => {
  const { message } = commandErrorOf({ ...unreadable, requestId }, subject)
  expect(message.endsWith(words)).toBe(true)
})

/** As Node throws what a file system refuses. */
function refusal(code: string, words: string, call: string, path?: string): Error {
  const named = path === undefined ? '' : ` '${path}'`
  return Object.assign(new Error(`${code}: ${words}, ${call}${named}`), { code, syscall: call, path })
}

it.each([
  [refusal('EACCES', 'permission denied', 'mkdir', '/srv/a, b'), '/srv/a, b: permission denied.'],
  [refusal('EIO', 'i/o error', 'read'), 'i/o error.'],
  [refusal('ENOENT', 'no such file or directory', 'uv_cwd'), 'The folder that the command was started in is gone.'],
  [
    refusal('ENOSPC', 'no space left on device', 'open', '/srv/a'),
    'Not enough space for /srv/a, or the disk takes no more files.',
  ],
  [refusal('ENOSPC', 'no space left on device', 'write'), 'Not enough space.'],
  [refusal('EROFS', 'read-only file system', 'mkdir', '/srv/a'), 'The disk that holds /srv/a is now read-only.'],
  [refusal('EROFS', 'read-only file system', 'write'), 'The disk is now read-only.'],
  [new TransferError('target-unwritable', '/srv/a is not a folder'), '/srv/a is not a folder.'],
  [
    new TransferError('target-unwritable', "/srv/a: EACCES: permission denied, open '/srv/a/.b.part'"),
    '/srv/a: permission denied.',
  ],
])('says in one plain sentence what the file system refused: %s', (failure, sentence) => {
  expect(commandErrorOfFailure(failure, new AbortController().signal).message).toBe(sentence)
})

it.each([
  [
    'InvalidRequest: The object is encrypted.',
    'The server refused the request. (InvalidRequest: The object is encrypted)',
  ],
  ['InvalidRequest: Invalid Request', 'The server refused the request. (InvalidRequest)'],
  ['InvalidRequest', 'The server refused the request. (InvalidRequest)'],
])('repeats why a service refused something: %s', (words, sentence) => {
  const facts = { serviceCode: 'InvalidRequest', httpStatus: 400, requestId: null }
  const error: TransferErrorInfo = {
    code: 'refused-by-server',
    detail: `GetObject was answered 400 ${words}`,
    ...facts,
  }
  expect(commandErrorOf(error, { ...subject, host: null }).message).toBe(sentence)
})

it.each([
  [
    'target-unwritable',
    "/a: EACCES: permission denied, open '/a/b'",
    'Can’t write to the folder of film.mov. (/a: permission denied)',
  ],
  ['refused-by-server', 'no', 'The server refused the request. (418)'],
  [
    'certificate-untrusted',
    'The secure connection to host:1 failed (CERT_HAS_EXPIRED: certificate has expired)',
    'Your network or server uses a certificate this computer doesn’t trust. The secure connection to host:1 failed (CERT_HAS_EXPIRED: certificate has expired).',
  ],
  [
    'range-not-answered',
    'Content-Encoding gzip',
    'The server sent the wrong part of the file. (Content-Encoding gzip)',
  ],
] as const)('says of a link why it came to nothing: %s', (code, detail, sentence) => {
  const error: TransferErrorInfo = { code, detail, serviceCode: null, httpStatus: 418, requestId: null }
  expect(commandErrorOf(error, { ...subject, host: 'host:1' }).message).toBe(sentence)
})

import { expect, it } from 'vitest'
import { commandErrorOf } from '../../electron/cli/exit-status.ts'
import type { TransferErrorInfo } from '../../shared/transfer/transfer-error.ts'

const unreadable: TransferErrorInfo = {
  code: 'answer-unreadable',
  detail: 'CreateMultipartUpload was answered 200 with a body of another shape',
  serviceCode: 'BadAnswer',
  httpStatus: 200,
  requestId: 'r-7',
}
const subject = { name: 'film.mov', bucket: 'media', localPath: 'film.mov', host: null }

it.each([
  ['r-7', ' (CreateMultipartUpload was answered 200 with a body of another shape, request r-7)'],
  [null, ' (CreateMultipartUpload was answered 200 with a body of another shape)'],
])('says which answer could not be read, and the name that the service gave it: %s', (requestId, words) => {
  const { message } = commandErrorOf({ ...unreadable, requestId }, subject)
  expect(message.endsWith(words)).toBe(true)
})

import { createHash, randomBytes } from 'node:crypto'
import type { TransferErrorCode } from '../../../shared/transfer/transfer-error.ts'
import type { Fault, FaultRule, RequestMatch } from '../../support/fault-server/fault-rules.ts'
import type { UploadDesk } from '../../support/window/upload-desk.ts'

/** One way in which one row of the fault matrix happens to an upload, and what must come of it. */
export interface UploadCase {
  readonly name: string
  readonly rules: (desk: UploadDesk) => readonly FaultRule[]
  /** Left out: it is completed, with the MD5 of every part proven. */
  readonly fails?: TransferErrorCode
  /** What the history says meanwhile. */
  readonly says?: RegExp
  /** How many parts are sent, those sent twice counted twice; left out: each once. */
  readonly partsSent?: number
  /** The machine's clock is this far off. */
  readonly clockOffMs?: number
}

export const create: RequestMatch = { method: 'POST', query: { uploads: true } }
export const numberedPart = (partNumber: number): RequestMatch => ({ method: 'PUT', query: { partNumber } })
export const part = numberedPart(2)
export const anyPart: RequestMatch = { method: 'PUT', query: { partNumber: true } }
export const listParts: RequestMatch = { method: 'GET', query: { uploadId: true } }
export const listUploads: RequestMatch = { method: 'GET', query: { uploads: true } }
export const complete: RequestMatch = { method: 'POST', query: { uploadId: true } }
export const look: RequestMatch = { method: 'HEAD' }
export const abort: RequestMatch = { method: 'DELETE' }

/** Every request of an upload, by its name. */
export const REQUESTS = { create, part, listUploads, listParts, look, complete }

export const response = (status: number, body = '', headers: Readonly<Record<string, string>> = {}) => ({
  kind: 'response' as const,
  status,
  body,
  headers: { 'content-type': 'application/json', ...headers },
})
export const refusal = (status: number, code: string, headers: Readonly<Record<string, string>> = {}) =>
  response(status, JSON.stringify({ Error: { Code: code, Message: '' } }), headers)
export const once = (when: RequestMatch, fault: Fault): readonly FaultRule[] => [{ when, times: 1, fault }]
export const always = (when: RequestMatch, fault: Fault): readonly FaultRule[] => [{ when, fault }]

/** Another client sends the part `partNumber` of our upload anew, with bytes of its own. */
export async function overwritePart({ others }: UploadDesk, key: string, partNumber: number): Promise<void> {
  const [uploadId = ''] = await others.uploadIds()
  const bytes = randomBytes(100)
  await others.store.uploadPart({
    key,
    uploadId,
    partNumber,
    body: {
      sizeBytes: bytes.length,
      async *open() {
        await Promise.resolve()
        yield bytes
      },
    },
    contentMd5: createHash('md5').update(bytes).digest('base64'),
    signal: new AbortController().signal,
  })
}

type Variant = Omit<UploadCase, 'rules' | 'name'>
export const cases = (
  shared: Variant,
  faults: Readonly<Record<string, readonly FaultRule[] | ((desk: UploadDesk) => readonly FaultRule[])>>,
): UploadCase[] =>
  Object.entries(faults).map(([name, rules]) => ({
    name,
    ...shared,
    rules: typeof rules === 'function' ? rules : () => rules,
  }))

/** The same fault in every request of an upload that it can happen to. */
export const everywhere = (fault: Fault, names: readonly (keyof typeof REQUESTS)[] = ALL) =>
  Object.fromEntries(names.map((name) => [`to ${name}`, once(REQUESTS[name], fault)]))
const ALL = Object.keys(REQUESTS) as (keyof typeof REQUESTS)[]

import { z } from 'zod'
import { placeId } from './object-parsers.ts'

/** A host name or IP address, without brackets. */
const hostName = z
  .string()
  .max(253)
  .regex(/^[A-Za-z0-9._:-]*$/)
const port = z.int().min(1).max(65_535)
const text = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^\P{Cc}*$/u)
const fingerprint = z.string().regex(/^[0-9A-F]{2}(:[0-9A-F]{2}){31}$/)

export const proxySettings = z.strictObject({
  mode: z.enum(['system', 'none', 'manual']),
  host: hostName,
  port,
  // A colon would end the name (RFC 7617, 2).
  user: text(256).refine((user) => !user.includes(':'), 'a colon in a user name'),
  exempt: text(4096),
})

/** What requests about the network must look like. */
export const networkRequests = {
  'network:get': z.null(),
  'certificates:add': z.null(),
  'network:set-proxy': proxySettings
    .extend({ password: text(1024).nullable() })
    .refine(({ mode, host }) => mode !== 'manual' || host !== '', 'no host'),
  'certificates:remove': z.strictObject({ fingerprint }),
  'certificates:inspect': z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('transfer'), id: z.uuid() }),
    z.strictObject({ kind: z.literal('place'), id: placeId }),
    z.strictObject({ kind: z.literal('origin'), origin: z.string().max(2048).refine(isSecureOrigin) }),
  ]),
  'certificates:trust': z.strictObject({ host: hostName.min(1), port, fingerprint }),
  'certificates:distrust': z.strictObject({ host: hostName.min(1), port }),
}

function isSecureOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text && text.startsWith('https:')
}

import { z } from 'zod'
import { hostName, line, placeId, port, proxySettings } from '../../services/persistence/schemas.ts'
import { nothing, transferId, type RequestParsers } from './fields.ts'

const fingerprint = z.string().regex(/^[0-9A-F]{2}(:[0-9A-F]{2}){31}$/)

/** Parsers of requests about the network. */
export const networkParsers = {
  'network:get': nothing,
  'network:set-proxy': proxySettings
    .extend({ password: line(1024).nullable() })
    .refine(({ mode, host }) => mode !== 'manual' || host !== '', 'no host'),
  'certificates:add': nothing,
  'certificates:remove': z.strictObject({ fingerprint }),
  'certificates:inspect': z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('transfer'), id: transferId }),
    z.strictObject({ kind: z.literal('place'), id: placeId }),
    z.strictObject({ kind: z.literal('origin'), origin: z.string().max(2048).refine(isSecureOrigin) }),
  ]),
  'certificates:trust': z.strictObject({ host: hostName.min(1), port, fingerprint }),
  'certificates:distrust': z.strictObject({ host: hostName.min(1), port }),
} satisfies Partial<RequestParsers>

function isSecureOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text && text.startsWith('https:')
}

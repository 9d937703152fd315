import { z } from 'zod'
import { DEFAULT_PROXY, type CertificateFacts } from '../../../shared/ipc/network-requests.ts'
import type { NamedValues } from '../common/named-values.ts'
import { proxySettings } from '../common/schemas.ts'

const NAME = 'network'

const certificate = z.strictObject({
  subject: z.string(),
  issuer: z.string(),
  fingerprint: z.string(),
  validFrom: z.string(),
  validTo: z.string(),
}) satisfies z.ZodType<CertificateFacts>

const schema = z.strictObject({
  proxy: proxySettings,
  sealedPassword: z.string().nullable(),
  authorities: z.array(z.strictObject({ pem: z.string(), certificate })),
  servers: z.array(z.strictObject({ host: z.string(), port: z.int(), certificate })),
})

/** What is kept of the network's settings. */
export type NetworkValues = z.infer<typeof schema>

const DEFAULTS: NetworkValues = { proxy: DEFAULT_PROXY, sealedPassword: null, authorities: [], servers: [] }

export async function readNetworkValues(values: Pick<NamedValues, 'read'>): Promise<NetworkValues> {
  return (await values.read(NAME, schema)) ?? DEFAULTS
}

export function writeNetworkValues(values: Pick<NamedValues, 'write'>, changed: NetworkValues): Promise<void> {
  return values.write(NAME, changed)
}

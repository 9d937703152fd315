import { z } from 'zod'
import {
  DEFAULT_PROXY,
  type CertificateFacts,
  type ProxySettings,
  type TrustedServer,
} from '../../../shared/ipc/network-requests.ts'
import { fitting } from '../../parsing/fitting.ts'
import type { NamedValues } from '../persistence/named-values.ts'
import { keptObject, readableMembers, type KeptObject } from '../persistence/readable-members.ts'
import { proxySettings } from '../persistence/schemas.ts'

const NAME = 'network'

const certificate = z.looseObject({
  subject: z.string(),
  issuer: z.string(),
  fingerprint: z.string(),
  validFrom: z.string(),
  validTo: z.string(),
}) satisfies z.ZodType<CertificateFacts>

const authority = z.looseObject({ pem: z.string(), certificate })
const server = z.looseObject({ host: z.string(), port: z.int(), certificate })
const sealedPassword = z.string().nullable()

/** The network's settings as they are kept. */
export interface NetworkValues {
  readonly proxy: ProxySettings
  readonly sealedPassword: string | null
  readonly authorities: readonly { readonly pem: string; readonly certificate: CertificateFacts }[]
  readonly servers: readonly TrustedServer[]
}

export interface NetworkStore {
  readonly get: () => NetworkValues
  /** Sets the members that `change` returns; changes run one after another. Resolves when this one is durable. */
  readonly update: (change: (values: NetworkValues) => Partial<NetworkValues>) => Promise<void>
}

/**
 * Loads the network's settings. Members that can't be read, such as a newer version's, stay as they are until set.
 */
export async function loadNetworkValues(values: NamedValues): Promise<NetworkStore> {
  let kept: KeptObject = (await values.read(NAME, keptObject)) ?? {}
  let readable = valuesOf(kept)
  let changed: Promise<unknown> = Promise.resolve()

  async function apply({ authorities, servers, ...changes }: Partial<NetworkValues>): Promise<void> {
    const next = {
      ...kept,
      ...changes,
      ...(authorities === undefined
        ? {}
        : { authorities: [...authorities, ...unreadableOf(authority, kept['authorities'])] }),
      ...(servers === undefined ? {} : { servers: [...servers, ...unreadableOf(server, kept['servers'])] }),
    }
    await values.write(NAME, next)
    kept = next
    readable = valuesOf(kept)
  }

  return {
    get: () => readable,
    update: (change) => {
      const done = changed.then(() => apply(change(readable)))
      changed = done.catch(() => undefined)
      return done
    },
  }
}

function valuesOf(kept: KeptObject): NetworkValues {
  return {
    proxy: proxyOf(kept['proxy']),
    sealedPassword: fitting(sealedPassword, kept['sealedPassword']) ?? null,
    authorities: readableOf(authority, kept['authorities']),
    servers: readableOf(server, kept['servers']),
  }
}

/** If the mode can't be read, a proxy that was entered is used: connections may have to go through it. */
function proxyOf(kept: unknown): ProxySettings {
  const members = readableMembers(proxySettings, kept)
  const mode = (members.host ?? '') === '' ? DEFAULT_PROXY.mode : 'manual'
  return { ...DEFAULT_PROXY, mode, ...members }
}

function listOf(kept: unknown): readonly unknown[] {
  return Array.isArray(kept) ? (kept as readonly unknown[]) : []
}

function readableOf<Entry>(schema: z.ZodType<Entry>, kept: unknown): readonly Entry[] {
  return listOf(kept).flatMap((entry) => {
    const value = fitting(schema, entry)
    return value === undefined ? [] : [value]
  })
}

function unreadableOf(schema: z.ZodType, kept: unknown): readonly unknown[] {
  return listOf(kept).filter((entry) => fitting(schema, entry) === undefined)
}

import type { CertificateSubject, NetworkRequests } from '../../shared/ipc/network-requests.ts'
import type { Engine } from '../engine/index.ts'
import { RequestError } from '../services/requests/request-error.ts'
import type { IpcHandlers } from './validated-ipc.ts'
import type { AppNetwork } from '../services/network/app-network.ts'
import type { Places } from '../services/places/places.ts'
import { originOf as originOfStore } from '../stores/index.ts'
import { message } from '../../shared/language/message.ts'

export interface NetworkRequestServices {
  readonly network: AppNetwork
  readonly engine: Pick<Engine, 'row'>
  readonly places: Pick<Places, 'require'>
  readonly chooseCertificate: () => Promise<string | null>
}

/** What the window may request about the network. */
export function createNetworkRequests(services: NetworkRequestServices): Pick<IpcHandlers, keyof NetworkRequests> {
  const { network } = services
  return {
    'network:get': () => network.state(),
    'network:set-proxy': (proxy) => network.setProxy(proxy),
    'certificates:add': async () => {
      const path = await services.chooseCertificate()
      return path === null ? network.state() : network.addAuthorities(path)
    },
    'certificates:remove': ({ fingerprint }) => network.removeAuthority(fingerprint),
    'certificates:inspect': (subject) => network.inspect(originOf(subject, services)),
    'certificates:trust': (server) => network.trust(server),
    'certificates:distrust': (server) => network.distrust(server),
  }
}

function originOf(subject: CertificateSubject, services: NetworkRequestServices): string {
  const origin = subject.kind === 'origin' ? subject.origin : addressedBy(subject, services)
  if (!origin.startsWith('https:')) throw new RequestError(message('services.request.not-secure'))
  return origin
}

function addressedBy(
  subject: Exclude<CertificateSubject, { kind: 'origin' }>,
  { engine, places }: NetworkRequestServices,
): string {
  if (subject.kind === 'place') return originOfStore(places.require(subject.id))
  const row = engine.row(subject.id)
  if (row === null) throw new RequestError(message('services.transfer.gone'))
  if (row.placeId === null) return new URL(row.key).origin
  return originOfStore({ ...places.require(row.placeId), bucket: row.bucket })
}

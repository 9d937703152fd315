import type { LinkRequests } from '../../shared/ipc/link-requests.ts'
import { inspectLink } from '../services/objects/inspect-link.ts'
import type { Places } from '../services/places/places.ts'
import type { LinkInbox } from '../shell/link-inbox.ts'
import type { IpcHandlers } from './validated-ipc.ts'

/** What the window may request about links. */
export function createLinkRequests(
  places: Pick<Places, 'openStore' | 'locateLink' | 'list'>,
  inbox: Pick<LinkInbox, 'take' | 'takeFiles'>,
): Pick<IpcHandlers, keyof LinkRequests> {
  return {
    'links:take': inbox.take,
    'files:take': inbox.takeFiles,
    'links:look': (target) => inspectLink(places, target),
  }
}

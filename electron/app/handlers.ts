// The handlers that answer the page: first what it needs for its first drawing, then all once the list is read.

import type { DeltaPublisher } from '../ipc/delta-publisher.ts'
import { createDesktopRequests } from '../ipc/desktop-handlers.ts'
import { createHandlers } from '../ipc/handlers.ts'
import { createLinkRequests } from '../ipc/link-handlers.ts'
import { createNetworkRequests } from '../ipc/network-handlers.ts'
import { firstLookOnce } from '../ipc/queue-snapshot.ts'
import type { IpcHandlers } from '../ipc/validated-ipc.ts'
import type { WindowChannel } from '../ipc/window-channel.ts'
import { createQueueViews } from '../services/persistence/queue-view.ts'
import type { KeptValues, OpenTransfers, Transfers } from '../services/index.ts'
import { createObjects } from '../services/objects/objects.ts'
import { continueWhenSaved, stopWhenRemoved } from '../services/places/resume-held-up.ts'
import { adoptPartials } from '../services/transfers/adopt-partials.ts'
import { enqueueDownloads } from '../services/transfers/enqueue-downloads.ts'
import { createFolderUploads } from '../services/transfers/enqueue-folder-upload.ts'
import { enqueueUploads } from '../services/transfers/enqueue-uploads.ts'
import type { Desk } from '../shell/desk/desk.ts'
import type { Desktop } from '../shell/desktop.ts'
import type { LinkInbox } from '../shell/link-inbox.ts'

/** Handlers for the requests that precede the page's first rows. `all` has those available once the list is read. */
export function createFirstHandlers(
  { settings, values, places, firstLook }: OpenTransfers & KeptValues,
  desktop: Pick<Desktop, 'info'>,
  all: Promise<IpcHandlers>,
): Partial<IpcHandlers> {
  return {
    'queue:snapshot': firstLookOnce(firstLook, async () => (await all)['queue:snapshot'](null)),
    'app:info': desktop.info,
    'places:list': places.list,
    'settings:get': settings.get,
    'view:get': createQueueViews(values).get,
  }
}

interface HandlerParts {
  readonly transfers: Transfers
  readonly publisher: DeltaPublisher
  readonly desktop: Desktop
  readonly desk: Desk
  readonly links: LinkInbox
  readonly channel: WindowChannel
}

/** Creates a handler for every request that the window can make. */
export function createAllHandlers(parts: HandlerParts): IpcHandlers {
  const { transfers, publisher, desktop, desk, links, channel } = parts
  const { engine, places, values } = transfers
  const handlers = createHandlers({
    ...transfers,
    places: { ...places, ...continueWhenSaved(places, engine), ...stopWhenRemoved(places, engine) },
    publisher,
    desktop,
    enqueueUploads: (request) => enqueueUploads(engine, places, request, transfers.conflicts),
    ...createFolderUploads(engine, places),
    enqueueDownloads: (request) => enqueueDownloads(engine, places, request),
    adoptPartials: (paths) => adoptPartials(engine, places, paths),
    tellComparing: (at) => channel.send('uploads:comparing', at),
    tellListingWait: (told) => channel.send('uploads:listing-waits', told),
    objects: createObjects(transfers.bucketDeps),
    view: createQueueViews(values),
  })
  return {
    ...handlers,
    ...createNetworkRequests({ ...transfers, ...desktop }),
    ...createLinkRequests(places, links),
    ...createDesktopRequests(desk),
  }
}

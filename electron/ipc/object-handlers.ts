// The window's requests about buckets and objects, each a call of `ObjectServices`.

import type { ObjectRequests } from '../../shared/ipc/object-requests.ts'
import type { ObjectServices } from '../services/objects/object-services.ts'
import type { IpcHandlers } from './validated-ipc.ts'

export function createObjectHandlers(objects: ObjectServices): Pick<IpcHandlers, keyof ObjectRequests> {
  return {
    'buckets:list': (request) => objects.listBuckets(request),
    'buckets:create': (request) => objects.createBucket(request),
    'objects:list': (request) => objects.list(request),
    'objects:search': (request) => objects.search(request),
    'objects:measure': (request) => objects.measure(request),
    'objects:facts': (request) => objects.facts(request),
    'objects:preview': (request) => objects.preview(request),
    'objects:link': (request) => objects.link(request),
    'objects:make-folder': (request) => objects.makeFolder(request),
    'objects:delete': (request) => objects.remove(request),
    'objects:delete-page': (request) => objects.removePage(request),
    'objects:move': (request) => objects.move(request),
    'objects:move-page': (request) => objects.movePage(request),
    'objects:abandon': ({ ticket }) => {
      objects.abandon(ticket)
      return null
    },
  }
}

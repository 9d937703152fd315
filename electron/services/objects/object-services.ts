import type { ObjectRequests } from '../../../shared/ipc/object-requests.ts'

type Ask<Name extends keyof ObjectRequests> = (
  request: ObjectRequests[Name]['request'],
) => Promise<ObjectRequests[Name]['response']>

/** What the window asks about the buckets and objects of places. Every function throws RequestError. */
export interface ObjectServices {
  readonly listBuckets: Ask<'buckets:list'>
  readonly createBucket: Ask<'buckets:create'>
  readonly list: Ask<'objects:list'>
  readonly search: Ask<'objects:search'>
  readonly measure: Ask<'objects:measure'>
  readonly facts: Ask<'objects:facts'>
  readonly preview: Ask<'objects:preview'>
  readonly link: Ask<'objects:link'>
  readonly makeFolder: Ask<'objects:make-folder'>
  readonly remove: Ask<'objects:delete'>
  readonly removePage: Ask<'objects:delete-page'>
  readonly move: Ask<'objects:move'>
  readonly movePage: Ask<'objects:move-page'>
  readonly abandon: (ticket: string) => void
}

import type { AppInfo, KeyringState } from '../../shared/ipc/app-info.ts'
import type {
  EnqueueDownloads,
  EnqueueResult,
  EnqueueUploadFolder,
  EnqueueUploads,
  MeasuredSources,
  MeasureSources,
  UploadComparing,
} from '../../shared/ipc/ipc-contract.ts'
import type { DesktopRequests } from '../../shared/ipc/desktop-requests.ts'
import type { LinkRequests } from '../../shared/ipc/link-requests.ts'
import type { NetworkRequests } from '../../shared/ipc/network-requests.ts'
import type { DroppedPartsList } from '../../shared/ipc/parts-list-review.ts'
import type { UnfinishedListingWait, UploadName } from '../../shared/ipc/unfinished-upload.ts'
import type { UploadOffer } from '../../shared/ipc/upload-offer.ts'
import type { PlaceCheck } from '../../shared/place/place-check.ts'
import type { AwsProfile, ImportedPlaces, NewPlace, Place, PlaceId } from '../../shared/place/place.ts'
import type { Settings } from '../../shared/settings.ts'
import type { QueueView } from '../../shared/transfer/queue-view.ts'
import type { FolderFileName } from '../../shared/transfer/folder-file.ts'
import type { TransferId } from '../../shared/transfer/transfer.ts'
import { visibleText } from '../../shared/visible-text.ts'
import { safeFileName, type Engine } from '../engine/index.ts'
import { RequestError } from '../services/requests/request-error.ts'
import { previewLocalFile } from '../services/objects/preview-local.ts'
import type { ObjectServices } from '../services/objects/object-services.ts'
import { exportPlaces, importPlaces } from '../services/places/place-files.ts'
import type { PartsLists } from '../services/transfers/unfinished/parts-lists.ts'
import type { UnfinishedUploads } from '../services/transfers/unfinished/unfinished-uploads.ts'
import type { DeltaPublisher } from './delta-publisher.ts'
import { createObjectHandlers } from './object-handlers.ts'
import type { IpcHandlers } from './validated-ipc.ts'
import { message } from '../../shared/language/message.ts'
import { t } from '../../shared/language/translate.ts'

/** The services that carry out the requests. */
export interface HandlerServices {
  readonly engine: Engine
  readonly publisher: Pick<DeltaPublisher, 'snapshot' | 'watch' | 'poke'>
  readonly enqueueUploads: (request: EnqueueUploads) => Promise<EnqueueResult>
  readonly enqueueUploadFolder: (request: EnqueueUploadFolder) => Promise<EnqueueResult>
  readonly measureSources: (request: MeasureSources) => Promise<MeasuredSources>
  readonly enqueueDownloads: (request: EnqueueDownloads) => Promise<EnqueueResult>
  readonly adoptPartials: (paths: readonly string[]) => Promise<EnqueueResult>
  readonly offers: {
    compare(id: TransferId, onProgress: (at: Omit<UploadComparing, 'id'>) => void): Promise<UploadOffer>
    stop(id: TransferId): void
    decide(id: TransferId, uploadId: string | null): Promise<void>
  }
  readonly unfinished: UnfinishedUploads
  readonly partsLists: PartsLists
  readonly tellComparing: (at: UploadComparing) => void
  readonly tellListingWait: (told: UnfinishedListingWait) => void
  readonly objects: ObjectServices
  readonly places: {
    list(): readonly Place[]
    add(place: NewPlace): Promise<Place>
    duplicate(id: PlaceId, place: NewPlace): Promise<Place>
    edit(id: PlaceId, place: NewPlace): Promise<Place>
    check(id: PlaceId | null, place: NewPlace): Promise<PlaceCheck>
    reorder(ids: readonly PlaceId[]): Promise<readonly Place[]>
    profiles(): Promise<readonly AwsProfile[]>
    remove(id: PlaceId): Promise<void>
    locateLink(link: string): { readonly url: string; readonly signIn?: string | undefined }
  }
  readonly settings: { get(): Settings; set(changes: Partial<Settings>): Promise<Settings> }
  readonly view: { get(): Promise<QueueView | null>; set(view: QueueView): Promise<void> }
  readonly canSave: () => Promise<boolean>
  readonly unlockKeyring: () => Promise<KeyringState>
  readonly startSample: () => Promise<EnqueueResult>
  readonly tidySample: () => Promise<void>
  readonly desktop: {
    chooseFiles(): Promise<readonly string[]>
    chooseFile(title: string): Promise<string | null>
    chooseTarget(name: string, title: string): Promise<string | null>
    choosePlaces(): Promise<string | null>
    chooseFolder(defaultPath: string | null): Promise<string | null>
    reveal(id: TransferId): Promise<void>
    /** A file of a folder transfer. */
    revealFile(file: FolderFileName): Promise<void>
    open(id: TransferId): Promise<void>
    drag(ids: readonly TransferId[]): Promise<void>
    freeBytes(directory: string): Promise<number | null>
    /** Returns a promise in Electron 44 and later. */
    copy(text: string): void | Promise<void>
    linkOnClipboard(): Promise<string | null>
    info(): AppInfo
    restart(): void
  }
}

/** Maps each request to a call, one line each. Rows are never returned here: changes arrive as deltas. */
export function createHandlers(
  services: HandlerServices,
): Omit<IpcHandlers, keyof NetworkRequests | keyof LinkRequests | keyof DesktopRequests> {
  const { engine, publisher, places, settings, desktop, unfinished, partsLists } = services
  const withFiles = createFileRequests(services)

  /** Looks for the command's effect at the next frame, even while the command still runs. */
  async function command(work: Promise<unknown>): Promise<null> {
    publisher.poke()
    await work
    publisher.poke()
    return null
  }

  async function relink(id: TransferId, link: string): Promise<void> {
    const { url, signIn } = places.locateLink(link)
    if (!(await engine.relink(id, url, signIn))) throw new RequestError(message('services.transfer.no-new-link'))
  }

  return {
    'queue:snapshot': () => publisher.snapshot(),
    'queue:watch': ({ id }) => done(publisher.watch(id)),
    ...createTransferCommands(services, command),
    'uploads:enqueue': (request) => services.enqueueUploads(request).finally(publisher.poke),
    'uploads:compare': ({ id }) => services.offers.compare(id, (at) => services.tellComparing({ id, ...at })),
    'uploads:stop-comparing': ({ id }) => done([services.offers.stop(id), unfinished.stop(id)]),
    'uploads:decide': ({ id, uploadId }) => command(services.offers.decide(id, uploadId)),
    'uploads:list': ({ after, ...address }) =>
      unfinished.list(address, after, (wait) => services.tellListingWait({ ...address, wait })),
    'uploads:measure': (upload) => unfinished.measure(upload),
    'uploads:discard': (upload) => unfinished.discard(upload).then(() => null),
    'uploads:finish': (upload) => withFiles.finish(upload).finally(publisher.poke),
    'uploads:save-parts': (upload) => withFiles.save(upload),
    'transfers:save-parts': ({ id }) => withFiles.saveOfRow(id),
    'parts-lists:find': ({ paths }) => partsLists.find(paths),
    'parts-lists:review': (list) => partsLists.review(list),
    'parts-lists:complete': (list) => command(partsLists.complete(list)),
    'parts-lists:finish': (list) => withFiles.finishFromList(list).finally(publisher.poke),
    'uploads:enqueue-folder': (request) => services.enqueueUploadFolder(request).finally(publisher.poke),
    'uploads:measure-sources': (request) => services.measureSources(request),
    'downloads:enqueue': (request) => services.enqueueDownloads(request).finally(publisher.poke),
    'downloads:relink': ({ id, url }) => command(relink(id, url)),
    'downloads:adopt': ({ paths }) => services.adoptPartials(paths).finally(publisher.poke),
    ...createObjectHandlers(services.objects),
    'places:list': () => places.list(),
    'places:add': (place) => places.add(place).finally(publisher.poke),
    'places:duplicate': ({ id, place }) => places.duplicate(id, place).finally(publisher.poke),
    'places:edit': ({ id, place }) => places.edit(id, place).finally(publisher.poke),
    'places:check': ({ id, place }) => places.check(id, place),
    'places:reorder': ({ ids }) => places.reorder(ids),
    'places:profiles': () => places.profiles(),
    'places:remove': ({ id }) => command(places.remove(id)),
    'places:export': () => withFiles.exportPlaces(),
    'places:import': () => withFiles.importPlaces().finally(publisher.poke),
    'settings:get': () => settings.get(),
    'settings:set': (changes) => settings.set(changes),
    'sample:start': () => services.startSample().finally(publisher.poke),
    'dialogs:choose-files': () => desktop.chooseFiles(),
    'dialogs:choose-folder': ({ defaultPath }) => desktop.chooseFolder(defaultPath),
    'folders:space': async ({ directory }) => ({ freeBytes: await desktop.freeBytes(directory) }),
    'shell:reveal': ({ id }) => desktop.reveal(id).then(() => null),
    'shell:open': ({ id }) => desktop.open(id).then(() => null),
    'shell:preview': (file) => previewLocalFile(engine, file),
    'shell:drag': ({ ids }) => desktop.drag(ids).then(() => null),
    'clipboard:write': async ({ text }) => done(await desktop.copy(text)),
    'clipboard:link': () => desktop.linkOnClipboard(),
    'view:get': () => services.view.get(),
    'view:set': (view) => services.view.set(view).then(() => null),
    'app:info': () => desktop.info(),
    'app:can-save': () => services.canSave(),
    'keyring:unlock': () => services.unlockKeyring().finally(publisher.poke),
    'app:restart': () => done(desktop.restart()),
  }
}

type Command = (work: Promise<unknown>) => Promise<null>

/** Commands for rows of the list. */
function createTransferCommands({ engine, tidySample, desktop }: HandlerServices, command: Command) {
  return {
    'transfers:pause': ({ ids }) => command(engine.pause(ids)),
    'transfers:resume': ({ ids }) => command(engine.resume(ids)),
    'transfers:retry': ({ ids }) => command(engine.retry(ids)),
    'transfers:start-over': ({ ids }) => command(engine.startOver(ids)),
    'transfers:cancel': ({ ids }) => command(engine.cancel(ids).then(tidySample)),
    'transfers:remove': ({ ids, removal }) => command(engine.remove(ids, removal).then(tidySample)),
    'transfers:let-go': ({ ids, removal }) => command(engine.letGo(ids, removal).then(tidySample)),
    'transfers:restore': ({ removal }) => command(engine.restore(removal)),
    'transfers:move': ({ ids, before }) => command(engine.move(ids, before)),
    'transfers:start-now': ({ ids }) => command(engine.startNow(ids)),
    'transfers:rebucket': ({ ids, bucket }) => command(engine.rebucket(ids, bucket)),
    'transfers:set-limit': ({ ids, limitBytesPerSecond }) => command(engine.setLimit(ids, limitBytesPerSecond)),
    'folder-files:list': async (query) => {
      const files = await engine.filesOf(query)
      if (files === null) throw new RequestError(message('services.transfer.gone'))
      return files
    },
    'folder-files:retry': (file) => command(engine.retryFile(file)),
    'folder-files:reveal': (file) => desktop.revealFile(file).then(() => null),
  } satisfies Partial<IpcHandlers>
}

/** Requests that ask for a file first; false when none was chosen. */
function createFileRequests(services: HandlerServices) {
  const { engine, desktop, places, unfinished, partsLists, tellComparing } = services

  async function finish(upload: UploadName): Promise<boolean> {
    const path = await desktop.chooseFile(t('services.request.which-file', { name: visibleText(upload.key) }))
    if (path === null) return false
    return unfinished.finish(upload, path, (at) => tellComparing({ id: upload.uploadId, ...at }))
  }

  async function finishFromList(list: DroppedPartsList): Promise<boolean> {
    const { upload } = await partsLists.review(list)
    const path = await desktop.chooseFile(t('services.request.which-file', { name: visibleText(upload.key) }))
    if (path === null) return false
    return partsLists.finish(list, path, (at) => tellComparing({ id: upload.uploadId, ...at }))
  }

  async function save(upload: UploadName): Promise<boolean> {
    const path = await desktop.chooseTarget(partsFileName(upload), t('services.request.save-parts'))
    if (path !== null) await unfinished.save(upload, path)
    return path !== null
  }

  async function saveOfRow(id: TransferId): Promise<boolean> {
    const row = engine.row(id)
    const uploadId = engine.details(id)?.uploadId ?? null
    if (row === null || row.placeId === null || uploadId === null) {
      throw new RequestError(message('services.transfer.nothing-there'))
    }
    return save({ placeId: row.placeId, bucket: row.bucket, key: row.key, uploadId })
  }

  return {
    finish,
    finishFromList,
    save,
    saveOfRow,
    async exportPlaces(): Promise<number | null> {
      const path = await desktop.chooseTarget(t('services.request.places-file'), t('services.request.export-places'))
      return path === null ? null : exportPlaces(places, path)
    },
    async importPlaces(): Promise<ImportedPlaces | null> {
      const path = await desktop.choosePlaces()
      return path === null ? null : importPlaces(places, path)
    },
  }
}

function partsFileName({ key }: UploadName): string {
  return safeFileName(`${key.split('/').at(-1) ?? ''}.parts.json`)
}

function done(_: unknown): null {
  return null
}

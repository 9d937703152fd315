// Everything that begins an upload: dropped, pasted and chosen files, folders and parts lists.

import type { EnqueueResult, EnqueueUploadFolder, EnqueueUploads } from '../../shared/ipc/ipc-contract.ts'
import type { BucketAddress } from '../../shared/ipc/object-requests.ts'
import { joined } from '../../shared/language/joined.ts'
import { worded } from '../../shared/language/message.ts'
import { t } from '../../shared/language/translate.ts'
import { MAX_REQUEST_ITEMS } from '../../shared/limits.ts'
import { visibleText } from '../../shared/visible-text.ts'
import { request } from '../bridge.ts'
import { appStore, currentPlace, loadApp } from '../state/app-store.ts'
import { shownLocation } from '../state/browse-store.ts'
import { topOf, type BrowseLocation } from '../state/objects/location.ts'
import { addTogether } from '../state/queue/adding.ts'
import { revealTogether } from '../state/reveal-added.ts'
import { dismissNotice, run, showNotice, showToast } from '../state/ui/messages.ts'
import { openWhenFree } from '../state/ui/open-dialogs.ts'
import { uiStore } from '../state/ui/ui-store.ts'
import { formatBytes } from '../words/format.ts'
import { reportSkipped, sayAdded, tellOf, withOthers } from './report.ts'
import { sortDropped } from './sort-dropped.ts'

/** If more files than this are dropped, the sheet asks about them all, and they become one row. */
const MOST_ROWS = 100

/**
 * Takes dropped or pasted files, which may come before the places are known: continues partial downloads, asks about
 * parts lists, uploads all others.
 */
export function takeFiles(paths: readonly string[], hasFolder = false, location = shownLocation()): void {
  if (areTooMany(paths)) return
  const { partials, others } = sortDropped(paths)
  if (others.length > 0) run(loadApp().then(() => takeOthers(others, hasFolder, location)))
  if (partials.length > 0) run(request('downloads:adopt', { paths: partials }).then(reportAdopted))
}

async function takeOthers(
  paths: readonly string[],
  hasFolder: boolean,
  location: BrowseLocation | null,
): Promise<void> {
  if (hasFolder || paths.length > MOST_ROWS) askToUpload(paths, location)
  else uploadPaths(await takeLists(paths, location), location)
}

/** Whether one request can't carry all paths; if so, says that. Taking only some would leave unclear which. */
function areTooMany(paths: readonly string[]): boolean {
  if (paths.length <= MAX_REQUEST_ITEMS) return false
  showNotice(() => t('commands.upload.too-many', { most: MAX_REQUEST_ITEMS }))
  return true
}

/** Opens the sheet for parts lists among the files. @returns the other files */
async function takeLists(paths: readonly string[], location: BrowseLocation | null): Promise<readonly string[]> {
  const to = addressOf(location)
  const maybeLists = paths.filter((path) => /\.json$/i.test(path))
  if (to === null || maybeLists.length === 0) return paths
  const found = await request('parts-lists:find', { paths: maybeLists })
  if (found.length > 0) openWhenFree({ kind: 'parts-list', lists: found.map((path) => ({ ...to, path })) })
  return paths.filter((path) => !found.includes(path))
}

/** The bucket of a location, or else the current place; null: there is none. */
function addressOf(location: BrowseLocation | null): BucketAddress | null {
  const place = currentPlace(appStore.getState())
  if (location === null) return place === null ? null : { placeId: place.id }
  return location.bucket === '' ? { placeId: location.placeId } : { placeId: location.placeId, bucket: location.bucket }
}

/** Opens the sheet that shows what would be uploaded, and where to. */
export function askToUpload(
  paths: readonly string[],
  location: BrowseLocation | null = shownLocation(),
  areFiles = false,
): void {
  if (paths.length === 0 || areTooMany(paths)) return
  if (currentPlace(appStore.getState()) === null) openWhenFree({ kind: 'add-place' })
  else openWhenFree({ kind: 'upload', paths, location, areFiles })
}

export function chooseAndUploadFolder(): void {
  run(
    Promise.all([request('dialogs:choose-folder', { defaultPath: null }), loadApp()]).then(([folder]) => {
      if (folder !== null) askToUpload([folder])
    }),
  )
}

function reportAdopted({ added, skipped, ids = [] }: EnqueueResult): void {
  const [first] = skipped
  if (ids.length > 0) revealTogether(ids)
  if (added > 0) showToast(() => t('commands.adopted', { count: added }))
  if (first !== undefined) showNotice(() => withOthers(worded(first), skipped.length - 1))
}

/** Uploads files to a folder, or else to the current place. */
export function uploadPaths(paths: readonly string[], location: BrowseLocation | null = shownLocation()): void {
  const place = currentPlace(appStore.getState())
  if (paths.length === 0 || areTooMany(paths)) return
  if (place === null) return openWhenFree({ kind: 'add-place' })
  const to = location ?? topOf(place)
  if (to.bucket === '') return askToUpload(paths, location, true)
  run(
    addTogether(() => request('uploads:enqueue', { ...to, paths })).then((result) => {
      reportUploads(result)
      const { taken } = result
      if (taken !== undefined && taken.files.length > 0) openWhenFree({ kind: 'taken', to, taken })
    }),
  )
}

/** Uploads files whose keys are taken, as the person answered. Throws RequestError, so that the sheet can stay open. */
export async function uploadTaken(uploads: EnqueueUploads): Promise<void> {
  reportUploads(await request('uploads:enqueue', uploads))
}

function reportUploads(result: EnqueueResult): void {
  const [first, ...others] = result.continued ?? []
  const [elsewhere] = result.elsewhere ?? []
  if (first === undefined && elsewhere !== undefined) return tellOf(result, () => describeElsewhere(elsewhere))
  if (first === undefined) return reportAdded(result)
  const { name, confirmedBytes } = first
  tellOf(result, () => {
    const there =
      confirmedBytes === 0 ? '' : t('commands.upload.already-there', { amount: formatBytes(confirmedBytes) })
    return withOthers(joined(t('commands.upload.continuing', { name }), there), others.length)
  })
}

/** "reel.mov is also unfinished at media/reel.mov: 185 MB is already there." */
function describeElsewhere({ name, key, confirmedBytes }: NonNullable<EnqueueResult['elsewhere']>[number]): string {
  return t('queue.unfinished-elsewhere', { name, key: visibleText(key), amount: formatBytes(confirmedBytes) })
}

export function chooseAndUpload(): void {
  run(Promise.all([request('dialogs:choose-files', null), loadApp()]).then(([paths]) => uploadPaths(paths)))
}

/** Throws RequestError, so that the sheet can stay open and say why. */
export async function uploadFolder(uploads: EnqueueUploadFolder): Promise<void> {
  reportAdded(await request('uploads:enqueue-folder', uploads))
}

/** Uploads the sample. Making it takes some seconds, during which a notice says so. Throws RequestError. */
export async function startSample(): Promise<void> {
  const making = () => t('commands.sample.making')
  showNotice(making)
  try {
    reportSkipped(await request('sample:start', null))
  } finally {
    if (uiStore.getState().notice === making) dismissNotice()
  }
}

/** Says how many uploads were added if the browser is open, where they can't be seen. */
function reportAdded(result: EnqueueResult): void {
  const isOutOfSight = result.added > 0 && uiStore.getState().view === 'browse'
  if (!isOutOfSight || result.skipped.length > 0) return reportSkipped(result)
  sayAdded(() => t('commands.uploads-added', { count: result.added }))
}

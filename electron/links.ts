import { app } from 'electron'
import { describeError } from '../shared/error-words.ts'
import type { LinkFacts, LinkRequests, LinkTarget } from '../shared/link-requests.ts'
import { MAX_LINK_CHARS } from '../shared/links.ts'
import { wantedLink } from './enqueue.ts'
import { classify, safeFileName, type StoreLocation } from './engine/index.ts'
import type { IpcHandlers } from './ipc/validated-ipc.ts'
import type { Places } from './places.ts'

/** More at a time is not meant by a person. */
const MAX_LINKS = 20
const PATIENCE_MS = 15_000

/** Links that the system opened the app with, until the window takes them. */
export interface LinkInbox {
  readonly add: (given: readonly string[]) => void
  readonly take: () => readonly string[]
  /** Called when there are new ones. */
  readonly follow: (onArrived: () => void) => void
}

/** `argv` is of this launch. Must be there before the app is ready: macOS tells the first address early. */
export function createLinkInbox(argv: readonly string[]): LinkInbox {
  let waiting = linksAmong(argv)
  let tell = (): void => undefined

  function add(given: readonly string[]): void {
    const links = linksAmong(given)
    if (links.length === 0) return
    waiting = [...new Set([...waiting, ...links])].slice(0, MAX_LINKS)
    tell()
  }

  // Elsewhere the package itself says so.
  if (app.isPackaged && process.platform === 'win32') app.setAsDefaultProtocolClient('sluice')
  app.on('open-url', (event, url) => {
    event.preventDefault()
    add([url])
  })
  return {
    add,
    take: () => {
      const taken = waiting
      waiting = []
      return taken
    },
    follow: (onArrived) => (tell = onArrived),
  }
}

/** The system gives the app one kind of link; whatever else a launch is given is left alone. */
export function linksAmong(given: readonly string[]): readonly string[] {
  return given.filter((text) => /^sluice:\/\//i.test(text) && text.length <= MAX_LINK_CHARS).slice(0, MAX_LINKS)
}

/** What the window may ask about links. */
export function createLinkRequests(
  places: Pick<Places, 'openStore' | 'list'>,
  inbox: Pick<LinkInbox, 'take'>,
): Pick<IpcHandlers, keyof LinkRequests> {
  return { 'links:take': inbox.take, 'links:look': (target) => lookAtLink(places, target) }
}

/** Asks the server what a link leads to. Nothing is written. */
export async function lookAtLink(places: Pick<Places, 'openStore' | 'list'>, target: LinkTarget): Promise<LinkFacts> {
  const { location, key, name, placeName } = subjectOf(places, target)
  let host = target.kind === 'link' ? new URL(target.url).host : placeName
  try {
    const store = places.openStore(location)
    host = new URL(store.host).host
    const { sizeBytes } = await store.headObject({ key, signal: AbortSignal.timeout(PATIENCE_MS) })
    return { name, host, sizeBytes, problem: null }
  } catch (error) {
    const verdict = classify(error)
    const isSilent = verdict.kind === 'wait' || (error instanceof Error && error.name === 'TimeoutError')
    const bucket = location.kind === 'place' ? location.bucket : ''
    const problem = isSilent
      ? `${placeName} doesn’t answer.`
      : describeError(verdict.error.info, { name, placeName, bucket, localPath: '' }).sentence
    return { name, host, sizeBytes: null, problem }
  }
}

interface Subject {
  readonly location: StoreLocation
  readonly key: string
  readonly name: string
  readonly placeName: string
}

function subjectOf(places: Pick<Places, 'list'>, target: LinkTarget): Subject {
  if (target.kind === 'link') {
    const { location, name } = wantedLink(target.url)
    return { location, key: '', name, placeName: new URL(target.url).host }
  }
  const { placeId, bucket, key } = target
  const place = places.list().find(({ id }) => id === placeId)
  const name = safeFileName(key.slice(key.lastIndexOf('/') + 1))
  return { location: { kind: 'place', placeId, bucket }, key, name, placeName: place?.name ?? 'The place' }
}

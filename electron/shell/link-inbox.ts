import { app } from 'electron'
import type { LinkRequests } from '../../shared/ipc/link-requests.ts'
import { MAX_OPENED_LINKS } from '../../shared/limits.ts'
import { filesAmong, linksAmong, MAX_FILES, sortExisting } from './launch.ts'
import { wholeLaunch } from './long-launch.ts'

/** Links and files with which the system opened the app, until the window takes them. */
export interface LinkInbox {
  /** Adds what a launch in `folder` was given. Never throws. */
  readonly add: (given: readonly string[], folder: string) => Promise<void>
  readonly take: () => LinkRequests['links:take']['response']
  /** Absolute paths. */
  readonly takeFiles: () => Promise<LinkRequests['files:take']['response']>
  /** Sets what is called when new ones arrive. */
  readonly follow: (onArrived: () => void) => void
}

/** Must be created before the app is ready: macOS delivers the first address early. */
export function createLinkInbox(): LinkInbox {
  let waiting = new Set<string>()
  let leftOut = 0
  let files = new Set<string>()
  let tell = (): void => undefined

  async function add(given: readonly string[], from: string): Promise<void> {
    const { argv, folder } = await wholeLaunch({ argv: given, folder: from }, app.getPath('userData'))
    addAll(linksAmong(argv), filesAmong(argv, folder, app.getAppPath()))
  }

  function addAll(links: readonly string[], paths: readonly string[]): void {
    if (links.length + paths.length === 0) return
    for (const link of links) {
      if (waiting.size < MAX_OPENED_LINKS) waiting.add(link)
      else if (!waiting.has(link)) leftOut += 1
    }
    for (const path of paths) if (files.size < MAX_FILES) files.add(path)
    tell()
  }

  app.on('open-url', (event, url) => {
    event.preventDefault()
    addAll(linksAmong([url]), [])
  })
  // macOS delivers what is opened with the app, or dropped on its icon, one at a time.
  app.on('open-file', (event, path) => {
    event.preventDefault()
    addAll([], [path])
  })
  return {
    add,
    take: () => {
      const taken = { links: [...waiting], leftOut }
      waiting = new Set()
      leftOut = 0
      return taken
    },
    takeFiles: () => {
      const taken = files
      files = new Set()
      return sortExisting(taken)
    },
    follow: (onArrived) => (tell = onArrived),
  }
}

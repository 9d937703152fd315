import { app } from 'electron'
import { existing, filesAmong, linksAmong, MAX_FILES, MAX_LINKS } from './launch.ts'

/** Links and files that the system opened the app with, until the window takes them. */
export interface LinkInbox {
  /** What a launch in `folder` was given. */
  readonly add: (given: readonly string[], folder: string) => void
  readonly take: () => readonly string[]
  /** Absolute paths, of what is there. */
  readonly takeFiles: () => Promise<readonly string[]>
  /** Called when there are new ones. */
  readonly follow: (onArrived: () => void) => void
}

/** `argv` is of this launch. Must be there before the app is ready: macOS tells the first address early. */
export function createLinkInbox(argv: readonly string[], folder: string): LinkInbox {
  let waiting = linksAmong(argv)
  let files = filesAmong(argv, folder, app.getAppPath())
  let tell = (): void => undefined

  function add(given: readonly string[], from: string): void {
    addAll(linksAmong(given), filesAmong(given, from, app.getAppPath()))
  }

  function addAll(links: readonly string[], paths: readonly string[]): void {
    if (links.length + paths.length === 0) return
    waiting = [...new Set([...waiting, ...links])].slice(0, MAX_LINKS)
    files = [...new Set([...files, ...paths])].slice(0, MAX_FILES)
    tell()
  }

  app.on('open-url', (event, url) => {
    event.preventDefault()
    add([url], folder)
  })
  // macOS names what is opened with the app, or dropped on its icon, one at a time.
  app.on('open-file', (event, path) => {
    event.preventDefault()
    addAll([], [path])
  })
  return {
    add,
    take: () => {
      const taken = waiting
      waiting = []
      return taken
    },
    takeFiles: () => {
      const taken = files
      files = []
      return existing(taken)
    },
    follow: (onArrived) => (tell = onArrived),
  }
}

import type { IpcRequestName, IpcResponse } from '../../shared/ipc/ipc-contract.ts'

/**
 * The files and folders that the page may name: those that a person chose in a dialog, dropped, or opened the app with,
 * and the folders for downloads. Any other path is refused, so a script that got into the page can't read or write
 * anything that was not pointed at.
 */
export interface ChosenPaths {
  has(path: string): boolean
  add(path: string): void
  /** Adds the paths in a response to the page. */
  addFrom<Name extends IpcRequestName>(name: Name, response: IpcResponse<Name>): void
}

type PathsOf = { readonly [Name in IpcRequestName]?: (response: IpcResponse<Name>) => readonly (string | null)[] }

const PATHS_OF: PathsOf = {
  'dialogs:choose-files': (paths) => paths,
  'dialogs:choose-folder': (path) => [path],
  'files:take': ({ paths }) => paths,
  'app:info': ({ downloadsFolder }) => [downloadsFolder],
  'settings:get': ({ downloadsFolder }) => [downloadsFolder],
  'places:list': (places) => places.map(({ downloadsFolder = null }) => downloadsFolder),
  // The page sends these paths again with its answer to the question about them.
  'uploads:enqueue': ({ taken }) => (taken?.files ?? []).map(({ path }) => path),
}

export function createChosenPaths(): ChosenPaths {
  const paths = new Set<string>()
  return {
    has: (path) => paths.has(path),
    add: (path) => void paths.add(path),
    addFrom(name, response) {
      for (const path of PATHS_OF[name]?.(response) ?? []) if (path !== null) paths.add(path)
    },
  }
}

import { useState } from 'react'
import type { Destination } from '../state/ui/dialog.ts'

/** While the app runs: the folders that were chosen instead of a default folder, by that default folder. */
const chosenFolders = new Map<string, string>()

/**
 * Where a sheet's downloads go. Starts with the folder that was last chosen instead of the same default folder. What to
 * do with existing files is not remembered.
 */
export function useDestination(first: Destination, defaultFolder: string) {
  const [destination, setDestination] = useState(first)
  const directory = destination.directory ?? chosenFolders.get(defaultFolder) ?? defaultFolder
  return {
    /** The folder, if one was chosen in this sheet. */
    destination,
    saving: { ...destination, directory },
    setDestination,
    /** Undefined if the folder is the default one. */
    backToDefault:
      directory === defaultFolder
        ? undefined
        : () => {
            chosenFolders.delete(defaultFolder)
            setDestination({ ...destination, directory: null })
          },
    /** Remembers the folder, because downloads are added to it. */
    keepFolder: () => {
      if (directory === defaultFolder) chosenFolders.delete(defaultFolder)
      else chosenFolders.set(defaultFolder, directory)
    },
  }
}

import { useState } from 'react'
import type { Destination } from '../state/ui/dialog.ts'

/** Chosen instead of the folder of the settings, by that folder, while the app runs. */
const chosenFolders = new Map<string, string>()

/**
 * Where a sheet's downloads go: until another folder is chosen to the one that was chosen last instead of the same default
 * one. What happens to files that are there is chosen anew each time.
 */
export function useDestination(first: Destination, defaultFolder: string) {
  const [destination, setDestination] = useState(first)
  const directory = destination.directory ?? chosenFolders.get(defaultFolder) ?? defaultFolder
  return {
    /** As far as it was chosen here. */
    destination,
    saving: { ...destination, directory },
    setDestination,
    /** Left out: it is the default one. */
    backToDefault:
      directory === defaultFolder
        ? undefined
        : () => {
            chosenFolders.delete(defaultFolder)
            setDestination({ ...destination, directory: null })
          },
    /** Downloads are added to it. */
    keepFolder: () => {
      if (directory === defaultFolder) chosenFolders.delete(defaultFolder)
      else chosenFolders.set(defaultFolder, directory)
    },
  }
}

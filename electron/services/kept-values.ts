import { loadSettings, type SettingsStore } from './common/settings-store.ts'
import { createNamedValues, FORGETFUL_VALUES, type NamedValues } from './common/named-values.ts'
import { createValueFiles, type ValueFiles } from './common/value-files.ts'

/** What is kept beside the list of transfers, and there before it. */
export interface KeptValues {
  readonly files: ValueFiles
  readonly values: NamedValues
  /** Those that change what transfers do. */
  readonly lasting: NamedValues
  readonly settings: SettingsStore
}

/**
 * Reads what is kept in the files of `folder`. In safe mode what changes transfers is as at first, and its changes are
 * forgotten at the end.
 */
export async function openKeptValues(folder: string, isSafe = false): Promise<KeptValues> {
  const files = createValueFiles(folder)
  const values = createNamedValues(files)
  const lasting = isSafe ? FORGETFUL_VALUES : values
  return { files, values, lasting, settings: await loadSettings(lasting) }
}

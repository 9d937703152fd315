import { loadSettings, type SettingsStore } from './settings-store.ts'
import { createNamedValues, FORGETFUL_VALUES, type NamedValues } from './named-values.ts'
import { createValueFiles, type ValueFiles } from './value-files.ts'

/** What is kept beside the list of transfers, and there before it. */
export interface KeptValues {
  /** Whether nothing goes on by itself in this start, so that a person can put right what keeps going wrong. */
  readonly isSafe: boolean
  readonly values: NamedValues
  /** Where all settings, low speed and a timed pause are kept; in safe mode as at first, and forgotten at the end. */
  readonly resetWhenSafe: NamedValues
  readonly settings: SettingsStore
  /** Resolves when all that was set is on the disk. */
  readonly settled: ValueFiles['settled']
}

/** Reads what is kept in the files of `folder`. In safe mode places, trust and the window are as they were left. */
export async function openKeptValues(folder: string, isSafe = false): Promise<KeptValues> {
  const { settled, ...files } = createValueFiles(folder)
  const values = createNamedValues(files)
  const resetWhenSafe = isSafe ? FORGETFUL_VALUES : values
  return { isSafe, values, resetWhenSafe, settings: await loadSettings(resetWhenSafe), settled }
}

import { loadSettings, type SettingsStore } from './settings-store.ts'
import { createNamedValues, FORGETFUL_VALUES, type NamedValues } from './named-values.ts'
import { createValueFiles, type ValueFiles } from './value-files.ts'

/** The values that are kept apart from the list of transfers, and are available before it. */
export interface KeptValues {
  /** Safe mode: nothing goes on by itself, so a person can fix what keeps going wrong. */
  readonly isSafe: boolean
  readonly values: NamedValues
  /** Holds settings, low speed and a timed pause. In safe mode they start at their defaults and are not saved. */
  readonly resetWhenSafe: NamedValues
  readonly settings: SettingsStore
  /** Resolves when every value that was set is on disk. */
  readonly settled: ValueFiles['settled']
  /** The values that were damaged beyond reading when they were asked for. */
  readonly lost: ValueFiles['lost']
  /** Where damaged files stay. */
  readonly folder: string
}

/** Reads the values kept in `folder`. Safe mode, too, keeps places, trust and the window as they were left. */
export async function openKeptValues(folder: string, isSafe = false): Promise<KeptValues> {
  const { settled, lost, ...files } = createValueFiles(folder)
  const values = createNamedValues(files)
  const resetWhenSafe = isSafe ? FORGETFUL_VALUES : values
  return { isSafe, values, resetWhenSafe, settings: await loadSettings(resetWhenSafe), settled, lost, folder }
}

import type { ListedObject } from '../../../../shared/place/place.ts'

/** One object of the folder that is to be fetched. */
export interface WantedItem {
  /** Unique in the run. */
  readonly number: number
  readonly object: ListedObject
  /** Below the folder. */
  readonly path: string
  readonly mayReplace: boolean
}

import type { ListedObject } from '../../../../shared/place/place.ts'

/** One object of the folder that is to be fetched. */
export interface WantedItem {
  /** Its place in the listing, from 0; those that stand for folders are not counted. */
  readonly number: number
  readonly object: ListedObject
  /** Below the folder. */
  readonly path: string
  readonly mayReplace: boolean
}

import type { ListedObject } from '../../../../shared/place/place.ts'

/** An object of the folder that is to be fetched. */
export interface WantedItem {
  /** The object's place in the listing, from 0; objects that stand for folders are not counted. */
  readonly number: number
  readonly object: ListedObject
  /** Below the folder. */
  readonly path: string
  readonly mayReplace: boolean
}

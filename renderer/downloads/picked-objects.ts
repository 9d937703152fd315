import type { ListedObject } from '../../shared/place/place.ts'

/** What is picked for download: objects, and folders with everything in them. None of it is inside another. */
export interface Chosen {
  readonly objects: ReadonlyMap<string, ListedObject>
  /** Prefixes, each ending in `/`. */
  readonly folders: ReadonlySet<string>
}

export const NOTHING_CHOSEN: Chosen = { objects: new Map(), folders: new Set() }

/** Picks an object, or puts it back. Pure. */
export function toggleObject(chosen: Chosen, object: ListedObject): Chosen {
  const objects = new Map(chosen.objects)
  if (!objects.delete(object.key)) objects.set(object.key, object)
  return { ...chosen, objects }
}

/** Picks a folder, which takes in whatever was picked inside it, or puts it back. Pure. */
export function toggleFolder({ objects, folders }: Chosen, prefix: string): Chosen {
  const others = [...folders].filter((folder) => !folder.startsWith(prefix))
  return {
    objects: new Map([...objects].filter(([key]) => !key.startsWith(prefix))),
    folders: new Set(folders.has(prefix) ? others : [...others, prefix]),
  }
}

/** Whether a key or prefix comes along with a folder around it. Pure. */
export function isInChosenFolder({ folders }: Chosen, key: string): boolean {
  if (folders.size === 0) return false
  for (let end = key.indexOf('/') + 1; end > 0 && end < key.length; end = key.indexOf('/', end) + 1) {
    if (folders.has(key.slice(0, end))) return true
  }
  return false
}

import { statfs } from 'node:fs/promises'

/** Bytes that the volume of a folder still takes from this user; null where that can't be told (some network volumes). */
export async function freeBytes(directory: string): Promise<number | null> {
  const volume = await statfs(directory).catch(() => null)
  return volume === null || volume.blocks === 0 ? null : volume.bavail * volume.bsize
}

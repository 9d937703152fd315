import { stat } from 'node:fs/promises'
import { extname } from 'node:path'

/** Files that systems run, or take commands from, when they are opened. */
const RUN_BY_NAME: ReadonlySet<string> = new Set(
  (
    'app appimage bat bash cmd com command cpl deb desktop dmg exe hta jar js jse lnk mjs msc msi msix pif pkg ps1 py reg ' +
    'rpm run scf scr sh svg terminal url vb vbe vbs workflow ws wsf wsh xbap'
  ).split(' '),
)

/** Whether opening a file could run what is in it. */
export async function wouldRun(path: string): Promise<boolean> {
  if (RUN_BY_NAME.has(extname(path).slice(1).toLowerCase())) return true
  const stats = await stat(path)
  // On Windows every file has the bits.
  return stats.isDirectory() || (process.platform !== 'win32' && (stats.mode & 0o111) !== 0)
}

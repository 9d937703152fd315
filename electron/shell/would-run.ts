import { stat } from 'node:fs/promises'
import { extname } from 'node:path'

/**
 * Files that systems run, take commands from, or take for a disk or a folder of such, when they are opened. Most are those
 * that Chromium calls dangerous on one of them (download_file_types.asciipb).
 */
const RUN_BY_NAME: ReadonlySet<string> = new Set(
  (
    'action ade adp app appimage applescript application appref-ms bas bash bat chm cmd com command cpl csh deb desktop ' +
    'diagcab dmg exe fileloc flatpakref fxp gadget hlp hta htc img inetloc inf ins iso isp jar jnlp js jse ksh ' +
    'library-ms lnk mad maf mda mde mdt mdw mdz mht mhtml mjs mobileconfig mpkg msc msh msh1 msh2 mshxml msi msix msp ' +
    'mst msu ops osax pif pkg pl prefpane prf prg ps1 ps1xml ps2 ps2xml psc1 psc2 psd1 psm1 py pyc pyw rb reg rpm run scf ' +
    'scpt scptd scr sct search-ms searchconnector-ms service settingcontent-ms sh shb shs slk svg terminal theme tool ' +
    'url vb vbe vbs vhd vhdx website webloc wim workflow ws wsc wsf wsh xbap xll xnk zsh'
  ).split(' '),
)

/** Whether opening a file could run what is in it. */
export async function wouldRun(path: string): Promise<boolean> {
  if (RUN_BY_NAME.has(extname(path).slice(1).toLowerCase())) return true
  const stats = await stat(path)
  // On Windows every file has the bits.
  return stats.isDirectory() || (process.platform !== 'win32' && (stats.mode & 0o111) !== 0)
}

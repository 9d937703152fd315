import { stat } from 'node:fs/promises'
import { extname } from 'node:path'

/**
 * Types of files that are only viewed, on every system: pictures, sound, film, documents without macros, plain text,
 * and archives. Runnable types can't be listed: each system, and each installed program, adds its own.
 */
const LOOKED_AT: ReadonlySet<string> = new Set(
  (
    'avif bmp gif heic heif ico j2k jp2 jpe jpeg jpg jxl png psb psd tga tif tiff webp ' +
    'arw cr2 cr3 crw dng dpx exr hdr nef orf raf raw rw2 sr2 ' +
    'aac ac3 aif aifc aiff alac amr ape au caf dsf flac m4a m4b mid midi mka mp2 mp3 oga ogg opus wav wma wv ' +
    '3g2 3gp avi braw flv m2ts m2v m4v mkv mov mp4 mpe mpeg mpg mts mxf ogv r3d ts vob webm wmv ' +
    'csv json jsonl log md srt sub text tsv txt vtt yaml yml ' +
    'docx epub fb2 key mobi numbers odg odp ods odt pages pdf pptx rtf xlsx xps ' +
    '7z br bz2 gz lz lz4 lzma rar tar tbz2 tgz txz xz z zip zst'
  ).split(' '),
)

/** Returns whether opening a file could run its content: true for every type that is not known to be only viewed. */
export async function wouldRun(path: string): Promise<boolean> {
  if (!LOOKED_AT.has(extname(path).slice(1).toLowerCase())) return true
  const stats = await stat(path)
  // On Windows, every file has these bits.
  return stats.isDirectory() || (process.platform !== 'win32' && (stats.mode & 0o111) !== 0)
}

import { INVISIBLE, QUOTE, visibleForm } from '../../../shared/visible-text.ts'
import { crc32 } from '../../checksums/crc32.ts'

/**
 * The most UTF-8 bytes of a local name, which leaves room for numbering and for partial files. The length of the whole
 * path needs no care here: on Windows, Node's fs turns every path into its `\\?\` form (nodejs/node#44536).
 */
const MAX_NAME_BYTES = 200
/** Characters that Windows, and so FAT, NTFS and exFAT, allow in no name (Naming Files, Paths, and Namespaces). */
const ENCODED = new Set('<>:"|?*\\/')
const ENCODED_ON_UNIX = new Set('/')
/** Names that Windows takes for devices, whatever follows the first dot. */
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3]) *$/i
/** Our own partial files and sidecars, and the scratch folders of small files. */
const OWN_KIND = /^\.(?:.*\.)?part(?:\.json(?:\.new)?)?$/
/** Windows Explorer reads these files in order to show their folder. */
const ACTING_NAME = /^(?:desktop\.ini|autorun\.inf|folder\.htt|thumbs\.db)$/i
/** Explorer draws the icon that such a file names, even on another computer, and so signs in to that. */
const ACTING_EXTENSION =
  /\.(?:lnk|scf|url|website|local|library-ms|search-ms|searchconnector-ms|theme|themepack|desklink|mapimail|settingcontent-ms)$/i
const ASCII = /^[ -~]*$/
const EXTENSION = /(?:\.tar)?\.[^.\s]{1,12}$/i

/** The rules for names in a folder. */
export interface NameRules {
  readonly platform: NodeJS.Platform
  /** The volume stores any name that Unix allows. If left out, Windows may read the volume, too. */
  readonly takesUnixNames?: boolean
  /** Programs obey hidden files in this folder, which is a home folder: no name in it may start with a dot. */
  readonly isHome?: boolean
}

/**
 * A file name for one segment of an object key (between slashes) that the folder's volume stores unchanged and that
 * can't leave its folder. Characters that can't be stored, or would be invisible, become visible look-alikes,
 * reversibly unless the name is cut or reserved. No segment gets the name of our own partial files: nothing named by a
 * service may be taken for something begun here. On Windows, none gets a name that acts when its folder is shown.
 */
export function safeFileName(segment: string, rules: NameRules = { platform: process.platform }): string {
  if (segment === '') return '_'
  const encoded = rules.takesUnixNames === true ? ENCODED_ON_UNIX : ENCODED
  const visible = Array.from(segment, (character) => encodeCharacter(character, encoded)).join('')
  const stored = segment === '.' || segment === '..' ? visible.replaceAll('.', '\uff0e') : visible
  const named = rules.takesUnixNames === true ? stored : encodeEnd(stored)
  const isDotted = isOwnKind(named) || (rules.isHome === true && named.startsWith('.'))
  const shown = isDotted ? `\uff0e${named.slice(1)}` : named
  const safe = shorten(rules.takesUnixNames === true ? shown : unreserve(shown))
  return rules.platform === 'win32' ? disarmed(safe) : safe
}

/** Renames as browsers do: such files are read, and the servers they name contacted, before anyone opens them. */
function disarmed(name: string): string {
  if (ACTING_NAME.test(name)) return `_${name}`
  return ACTING_EXTENSION.test(name) ? `${name}.download` : name
}

/** Whether our own partial files, or what lies beside them, could have the name on any file system. */
function isOwnKind(name: string): boolean {
  return OWN_KIND.test(nameKey(name))
}

function encodeCharacter(character: string, encoded: ReadonlySet<string>): string {
  const code = character.codePointAt(0) ?? 0
  if (encoded.has(character)) return String.fromCodePoint(code + 0xfee0)
  if (code < 0x20 || code === 0x7f || INVISIBLE.test(character)) return visibleForm(character)
  const isLookAlike =
    character === QUOTE || character === '\uff0e' || (code >= 0x2400 && code <= 0x2421) || encoded.has(plain(code))
  return isLookAlike ? QUOTE + character : character
}

function plain(code: number): string {
  return code > 0xfee0 && code <= 0xff5e ? String.fromCodePoint(code - 0xfee0) : ''
}

/** Protects a space or dot at the end of a name, which Windows would drop. */
function encodeEnd(name: string): string {
  if (name.endsWith(' ')) return `${name.slice(0, -1)}\u2420`
  if (name.endsWith('.')) return `${name.slice(0, -1)}\uff0e`
  return name
}

function unreserve(name: string): string {
  const stem = name.split('.', 1)[0] ?? name
  return RESERVED.test(stem) ? `${stem}_${name.slice(stem.length)}` : name
}

function shorten(name: string): string {
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name
  const extension = cutToBytes(EXTENSION.exec(name)?.[0] ?? '', MAX_NAME_BYTES / 2)
  const mark = `~${crc32(Buffer.from(name)).toString(16).padStart(8, '0')}`
  return cutToBytes(name, MAX_NAME_BYTES - Buffer.byteLength(mark + extension)) + mark + extension
}

/** The longest prefix of `text` that has at most `maxBytes` UTF-8 bytes and ends with a whole character. */
export function cutToBytes(text: string, maxBytes: number): string {
  let bytes = 0
  let length = 0
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > maxBytes) break
    length += character.length
  }
  return text.slice(0, length)
}

/** `report.pdf` → `report (2).pdf`. */
export function numberedName(name: string, number: number): string {
  const extension = EXTENSION.exec(name.slice(1))?.[0] ?? ''
  const suffix = ` (${number})${extension}`
  const stem = name.slice(0, name.length - extension.length)
  return cutToBytes(stem, 255 - Buffer.byteLength(suffix)) + suffix
}

/** Names are equal under this if file systems that ignore case or normalization take them for the same. */
export function nameKey(name: string): string {
  if (ASCII.test(name)) return name.toLowerCase()
  return name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')
}

/** `name`, or its first numbered form whose `nameKey` is not among `takenKeys`. */
export function uniqueName(name: string, takenKeys: Pick<ReadonlySet<string>, 'has'>): string {
  let candidate = name
  for (let number = 1; takenKeys.has(nameKey(candidate)); number += 1) candidate = numberedName(name, number)
  return candidate
}

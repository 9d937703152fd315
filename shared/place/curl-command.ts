import { percentDecoded } from './percent-decoded.ts'
import { refused, type RefusedLink } from './link-faults.ts'

/** A curl command as browsers copy it: what it downloads, or why it can't be used. */
export type CurlCommand = { readonly kind: 'download'; readonly url: string } | RefusedLink

const COMMAND = /^curl(\.exe)?\s/i
/** Options without a value that don't change what is downloaded. */
const IGNORED =
  /^(-[LsSfgJkO#v]+|--(location|silent|show-error|fail|globoff|compressed|remote-name|remote-header-name))$/
/** Options with a value that don't change what is downloaded, such as where the file goes or how long to try. */
const IGNORED_WITH_VALUE =
  /^(-[oCmA]|--(output|output-dir|continue-at|max-time|connect-timeout|retry|retry-delay|user-agent))$/
/** Headers that every downloader sets for itself. */
const OWN_HEADERS =
  /^(accept(-[a-z-]+)?|user-agent|connection|cache-control|pragma|dnt|sec-[a-z-]+|upgrade-insecure-requests|priority|range|if-range)$/

export function isCurlCommand(text: string): boolean {
  return COMMAND.test(text)
}

/**
 * Reads a command for a POSIX shell. It keeps only what a download can honor: the address, and `-u` or a Basic
 * Authorization header, which become the sign-in of the address. It refuses anything that would change the request,
 * because leaving it out would download something else. Pure.
 */
export function parseCurlCommand(text: string): CurlCommand {
  const words = shellWords(text)
  if (words === null) return refused('curl-quotation')
  let url: string | null = null
  let signIn: string | null = null
  for (let index = 1; index < words.length; index += 1) {
    const word = words[index] ?? ''
    const value = words[index + 1] ?? ''
    if (IGNORED.test(word)) {
      if (/^-\w*k/.test(word)) return refused('curl-certificates')
    } else if (IGNORED_WITH_VALUE.test(word)) index += 1
    else if (word === '-u' || word === '--user') [signIn, index] = [value, index + 1]
    else if (word === '-H' || word === '--header') {
      const header = readHeader(value)
      if (header.kind === 'refused') return header
      if (header.signIn !== null) signIn = header.signIn
      index += 1
    } else if (word === '-X' || word === '--request') {
      if (value.toUpperCase() !== 'GET') return refused('curl-method', value)
      index += 1
    } else if (word === '--url' && url === null) [url, index] = [value, index + 1]
    else if (word.startsWith('-')) return refused('curl-option', word)
    else if (url === null) url = word
    else return refused('curl-several')
  }
  return withSignIn(url, signIn)
}

/** Makes the sign-in part of the address, so that it goes only to the address's own host. */
function withSignIn(text: string | null, signIn: string | null): CurlCommand {
  if (text === null) return refused('curl-no-address')
  const address = /^[a-z]+:\/\//i.test(text) ? text : `http://${text}`
  const [, scheme = '', rest = ''] = /^(https?:\/\/)(?:[^/?#@]*@)?([^\s/?#@]\S*)$/i.exec(address) ?? []
  if (rest === '') return refused('no-web-address')
  if (signIn === null) return { kind: 'download', url: address }
  const [, user = '', password = ''] = /^([^:]*):?([^]*)$/.exec(signIn) ?? []
  return { kind: 'download', url: `${scheme}${encodeURIComponent(user)}:${encodeURIComponent(password)}@${rest}` }
}

type ReadHeader = { readonly kind: 'read'; readonly signIn: string | null } | RefusedLink

function readHeader(text: string): ReadHeader {
  const [, name = '', value = ''] = /^([^:;]*)[:;]\s*([^]*)$/.exec(text) ?? []
  const known = name.trim().toLowerCase()
  if (known === 'authorization') {
    const signIn = basicSignIn(value)
    if (signIn !== null) return { kind: 'read', signIn }
    return refused('curl-authorization')
  }
  if (OWN_HEADERS.test(known)) return { kind: 'read', signIn: null }
  return refused('curl-header', name.trim())
}

/** `user:password` of Basic credentials (RFC 7617, 2); null for another scheme, or invalid Base64. */
function basicSignIn(value: string): string | null {
  const credentials = /^basic\s+([A-Za-z0-9+/=]+)$/i.exec(value.trim())?.[1]
  return credentials === undefined ? null : percentDecoded(percentBytes(credentials))
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** The bytes of a Base64 text, each as `%xx`. */
function percentBytes(base64: string): string {
  const bits = [...base64.replace(/=+$/, '')]
    .map((char) => ALPHABET.indexOf(char).toString(2).padStart(6, '0'))
    .join('')
  const bytes = bits.match(/.{8}/g) ?? []
  return bytes.map((byte) => `%${parseInt(byte, 2).toString(16).padStart(2, '0')}`).join('')
}

/** The words of a command: bare, 'single', "double" or $'ANSI' quoted; null if a quotation has no end. */
function shellWords(text: string): readonly string[] | null {
  const words: string[] = []
  let word: string | null = null
  for (let rest = text; rest !== '';) {
    const piece =
      /^(?<blank>\s+)|^\$'(?<ansi>(?:[^'\\]|\\.)*)'|^'(?<single>[^']*)'|^"(?<double>(?:[^"\\]|\\.)*)"|^\\(?<escaped>.)|^(?<bare>[^\s'"\\]+)/su.exec(
        rest,
      )
    if (piece === null) return null
    const { blank, ansi, single, double, escaped, bare } = piece.groups ?? {}
    if (blank !== undefined) {
      if (word !== null) words.push(word)
      word = null
    } else {
      const quoted = ansi === undefined ? (single ?? double?.replace(/\\(["\\$`])/g, '$1')) : withoutEscapes(ansi)
      word = (word ?? '') + (quoted ?? escaped ?? bare ?? '')
    }
    rest = rest.slice(piece[0].length)
  }
  return word === null ? words : [...words, word]
}

const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

/** Decodes what stands in $'…', as browsers write the `'` and `!` of an address (Bash, ANSI-C Quoting). */
function withoutEscapes(text: string): string {
  return text.replace(
    /\\(?:u([0-9a-f]{1,4})|x([0-9a-f]{1,2})|(.))/gis,
    (_, unicode?: string, byte?: string, other?: string) => {
      if (other !== undefined) return CONTROLS[other] ?? other
      return String.fromCharCode(Number.parseInt(unicode ?? byte ?? '', 16))
    },
  )
}

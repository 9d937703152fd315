// The `app:` scheme, which serves the page: files of the bundle and nothing else.

import { readdir, readFile } from 'node:fs/promises'
import { extname, isAbsolute, join, relative, sep } from 'node:path'
import { protocol, type Session } from 'electron'
import { currentLanguage } from '../../../shared/language/translate.ts'
import { percentDecoded } from '../../../shared/place/percent-decoded.ts'

/** Origin of the window's page, as frames report it. */
export const APP_ORIGIN = 'app://bundle'
export const APP_URL = `${APP_ORIGIN}/index.html`

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-src 'none'",
  "frame-ancestors 'none'",
  // No text may become script or markup, and no policy may allow it.
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** Maps each existing URL path to its file path. */
export type Bundle = ReadonlyMap<string, string>

/** Must run before the app is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ])
}

/** Serves the window's files, and nothing else, from `app://bundle/`. */
export function serveBundle(session: Session, folder: string): void {
  const listed = listBundle(folder)
  session.protocol.handle('app', async (request) => answerFromBundle(await listed, request))
}

/** Lists the files below `folder` with a type we serve. Runs once: a file missing at the start is never served. */
export async function listBundle(folder: string): Promise<Bundle> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && extname(entry.name) in CONTENT_TYPES)
  return new Map(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(folder, path), path] as const)
      .filter(([inside]) => !isAbsolute(inside) && inside.split(sep)[0] !== '..')
      .map(([inside, path]) => [`/${inside.split(sep).join('/')}`, path] as const),
  )
}

/**
 * Answers 200 for a file of the bundle, 4xx for anything else. The path is decoded once and looked up, not resolved.
 */
export async function answerFromBundle(bundle: Bundle, request: Request): Promise<Response> {
  const url = new URL(request.url)
  if (request.method !== 'GET') return new Response(null, { status: 405 })
  const urlPath = url.host === 'bundle' ? percentDecoded(url.pathname) : null
  if (urlPath === null) return new Response(null, { status: 400 })
  const path = bundle.get(urlPath)
  if (path === undefined) return new Response(null, { status: 404 })
  return new Response(extname(path) === '.html' ? inLanguage(await readFile(path, 'utf8')) : await readFile(path), {
    headers: {
      'Content-Type': CONTENT_TYPES[extname(path)] ?? 'application/octet-stream',
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'X-Content-Type-Options': 'nosniff',
    },
  })
}

/** Makes the page declare its language and direction from its first text on. */
function inLanguage(page: string): string {
  const { tag, direction } = currentLanguage()
  return page.replace('<html lang="en">', `<html lang="${tag}" dir="${direction}">`)
}

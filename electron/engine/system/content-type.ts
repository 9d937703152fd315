import mime from 'mime'

/** The Content-Type for the extension of a file's name. Null when unknown; the service then chooses one. */
export function contentTypeOf(path: string): string | null {
  return mime.getType(path)
}

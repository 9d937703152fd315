import mime from 'mime'

/** Content-Type of a file by the extension of its name; null: unknown, which the service then names as it likes. */
export function contentTypeOf(path: string): string | null {
  return mime.getType(path)
}

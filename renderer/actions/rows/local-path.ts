/** Splits a local path after the last `/` or `\`, whatever the system. The folder includes the separator. */
export function splitPath(path: string): { readonly folder: string; readonly name: string } {
  const end = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1
  return { folder: path.slice(0, end), name: path.slice(end) }
}

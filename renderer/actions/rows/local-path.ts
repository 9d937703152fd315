/** The folder of a file of this computer with what separates it, and its last name: by `/` or `\`, whatever system has it. */
export function splitPath(path: string): { readonly folder: string; readonly name: string } {
  const end = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1
  return { folder: path.slice(0, end), name: path.slice(end) }
}

/** Folder of the built files: the bundler puts all of the main process into files that lie there. */
export const BUILT_FILES = import.meta.dirname

/** Folder of the built files: the bundler puts the whole main process into files there. */
export const BUILT_FILES = import.meta.dirname

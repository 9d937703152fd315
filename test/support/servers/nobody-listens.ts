/**
 * Host and port where connections are refused. The port is a reserved one: a port that was free a moment ago can be
 * given to another test, or to the very connection that tries it.
 */
export const NOBODY_LISTENS = '127.0.0.1:1'

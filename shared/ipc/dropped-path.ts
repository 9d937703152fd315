/**
 * The channel on which the preload script tells main the path of a file that was dropped or pasted. It isn't a request
 * of the contract: the page holds only `File` objects, which the browser makes, and can't reach this channel.
 */
export const DROPPED_PATH = 'files:dropped'

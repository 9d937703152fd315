/**
 * The channel on which the preload script tells main the path of a file that was dropped or pasted. It is no request of
 * the contract: the page has files, which only the browser makes, and no way to this channel.
 */
export const DROPPED_PATH = 'files:dropped'

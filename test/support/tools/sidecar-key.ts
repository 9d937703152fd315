/** The key of the user in tests that have one user. */
export const SIDECAR_KEY = Buffer.alloc(32, 7)

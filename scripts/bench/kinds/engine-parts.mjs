// Loaded in one go: what is loaded twice is not the same to `instanceof`.
export { createEngine, createNodeDeps, createSystemClock, openCheckpointStore } from '../../../electron/engine/index.ts'
export { createHasher } from '../../../electron/engine/hashing/hash-pool.ts'
export { createStore } from '../../../electron/stores/index.ts'

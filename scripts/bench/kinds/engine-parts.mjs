// Loaded together, because classes that are loaded twice are different ones to `instanceof`.
export { createEngine, createNodeDeps, createSystemClock, openCheckpointStore } from '../../../electron/engine/index.ts'
export { createHasher } from '../../../electron/engine/hashing/hash-pool.ts'
export { createStore } from '../../../electron/stores/index.ts'
